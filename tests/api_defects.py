"""Defects of the API: who may call what, what is done once, and what a bot may say."""

from __future__ import annotations

from tests.defect import Defect

API_DEFECTS = [
    Defect(
        "API: a key of the platform reaches the items of businesses",
        "dashboard/table/tenancy.py",
        "        return _is_of_platform(target)\n",
        "        return True\n",
        "tests/apikeys/test_platform_keys.py::test_a_request_with_it_reaches_the_forum_and_nothing_of_a_business",
    ),
    Defect(
        "API: a key of a business calls the endpoints of the platform",
        "dashboard/platform/apikeys/calls.py",
        "    if endpoint.owner not in (None, key.owner):\n",
        "    if False:\n",
        "tests/api/test_access.py::test_a_key_of_another_owner_opens_nothing",
    ),
    Defect(
        "API: a secret key without the scope is accepted",
        "dashboard/platform/apikeys/calls.py",
        "    elif endpoint.scope is not None and endpoint.scope not in key.scopes:\n",
        "    elif False:\n",
        "tests/api/test_access.py::test_a_secret_key_needs_the_scope",
    ),
    Defect(
        "API: a secret key works in a browser",
        "dashboard/platform/apikeys/authentication.py",
        "if site is None or not request.api_key.is_public or not request.api_key.allows_origin(site):",
        "if site is None:",
        "tests/api/test_access.py::test_a_secret_key_is_refused_in_a_browser",
    ),
    Defect(
        "API: X-Tenant-Id may name another business",
        "dashboard/platform/apikeys/authentication.py",
        "            _check_tenant(request)\n",
        "",
        "tests/api/test_access.py::test_another_tenant_is_refused_and_the_own_one_is_accepted",
    ),
    Defect(
        "API: the Idempotency-Key of another endpoint is the same command",
        "dashboard/platform/apikeys/calls.py",
        "self.tenant, self.key.id, self.endpoint.method, self.endpoint.path, given",
        "self.tenant, self.key.id, given",
        "tests/api/test_writes.py::test_the_same_idempotency_key_with_another_body_is_refused",
    ),
    Defect(
        "API: the body of a repeated request is not compared",
        "dashboard/platform/apikeys/calls.py",
        'self.request.headers.get("If-Match", "").strip(), self.request.body.hex()',
        'self.request.headers.get("If-Match", "").strip()',
        "tests/api/test_writes.py::test_the_same_idempotency_key_with_another_body_is_refused",
    ),
    Defect(
        "API: the ETag is the revision alone, which a message does not change",
        "dashboard/web/api/messages.py",
        "f'\"{revision}-{hashlib.sha256(content).hexdigest()[:16]}\"'",
        "f'\"{revision}\"'",
        "tests/api/test_conversations.py::test_the_etag_changes_with_every_message",
    ),
    Defect(
        "API: a key that does not chat names a conversation in a booking",
        "bookings/api/bookings.py",
        "    if Scope.CHAT not in call.key.scopes:\n",
        "    if False:\n",
        "tests/api/test_conversations.py::test_only_a_key_that_chats_names_a_conversation_in_a_booking",
    ),
    Defect(
        "API: everyone reads banned posts",
        "forum/api.py",
        "not (found.status == ACTIVE or _moderates(call))",
        "False",
        "tests/api/test_forum.py::test_the_filter_bans_at_once_and_only_moderators_see_it",
    ),
    Defect(
        "API: likes sink below zero",
        "forum/services/counters.py",
        "    if number < 0:\n",
        "    if False:\n",
        "tests/api/test_forum.py::test_likes_are_counted_once_for_each_key_and_never_below_zero",
    ),
    Defect(
        "API: an answer contains the secrets of a conversation's context",
        "bookings/api/conversations.py",
        "context=masked_content(found.context or {})",
        "context=found.context or {}",
        "tests/api/test_conversations.py::test_a_state_of_an_outside_writer_is_answered_as_stored_and_its_secrets_are_masked",
    ),
]
