"""Found ids through the stream itself: recorded within one pass, once, and never for a business that exists."""

from __future__ import annotations

from dashboard.platform.adoption import queries, services
from dashboard.platform.adoption.unknown_ids import forget_recorded
from dashboard.platform.businesses.queries import find_business as find
from dashboard.table import keys
from dashboard.table.commands import new_command
from dashboard.table.keypattern import Key
from tests.adoption.outside import COGNITO, put_raw, put_tenant
from tests.conftest import ACTOR, real_engines
from tests.stream.conftest import stream_table
from tests.stream.helpers import catch_up
from tests.table.notes import load_raw
from tests.tables import SharedTable

__all__ = ["stream_table"]


@real_engines
def test_ids_are_listed_adopted_and_not_listed_again(table: str, stream_table: SharedTable) -> None:
    put_raw(keys.BRAND_META.key(tenant="Pan_Caliente"), name="Pan Caliente")
    for number in range(20):
        put_raw(Key("TENANT#Pan_Caliente", f"POLL#{number}"))
    put_tenant("one", ownerUserId=COGNITO)
    catch_up()
    unknown = queries.find_unknown_business("Pan_Caliente")
    assert unknown is not None and sorted(unknown.examples) == ["POLL", "business"]
    assert queries.find_owner(COGNITO) is not None
    services.adopt("Pan_Caliente", command=new_command(ACTOR))
    tenant = load_raw(keys.TENANT.key(tenant="Pan_Caliente"))
    put_raw(Key("TENANT#Pan_Caliente", "COUPON#1"))
    forget_recorded()
    catch_up()
    assert queries.unknown_businesses().items == []
    assert find("Pan_Caliente") is not None and load_raw(keys.TENANT.key(tenant="Pan_Caliente")) == tenant


@real_engines
def test_an_undone_adoption_is_listed_again_and_stays(table: str, stream_table: SharedTable) -> None:
    put_raw(keys.BRAND_META.key(tenant="Pan_Caliente"), name="Pan Caliente")
    catch_up()
    services.adopt("Pan_Caliente", command=new_command(ACTOR))
    services.undo_adoption("Pan_Caliente", revision=1, command=new_command(ACTOR))
    before = load_raw(keys.UNKNOWN_BUSINESS.key(business_id="Pan_Caliente"))
    forget_recorded()
    catch_up()
    assert before is not None and load_raw(keys.UNKNOWN_BUSINESS.key(business_id="Pan_Caliente")) == before
