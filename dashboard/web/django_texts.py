"""Texts of Django that pages show, listed so that our catalogue translates them.

Django's Spanish uses *usted*, and the catalogue of `django.contrib.auth`, which is not installed, is never loaded.
"""

from django.utils.translation import gettext_noop, ngettext_lazy

TEXTS = [
    gettext_noop("This field is required."),
    gettext_noop("Enter a valid email address."),
    gettext_noop("Enter a valid URL."),
    gettext_noop("Enter a valid value."),
    gettext_noop("Enter a whole number."),
    gettext_noop("Enter a number."),
    gettext_noop("Enter a valid date."),
    gettext_noop("Enter a valid time."),
    gettext_noop("Enter a valid date/time."),
    gettext_noop("Enter a list of values."),
    gettext_noop("Select a valid choice. %(value)s is not one of the available choices."),
    gettext_noop("Ensure this value is less than or equal to %(limit_value)s."),
    gettext_noop("Ensure this value is greater than or equal to %(limit_value)s."),
    gettext_noop("No file was submitted."),
    gettext_noop("No file was submitted. Check the encoding type on the form."),
    gettext_noop("The submitted file is empty."),
    gettext_noop("Null characters are not allowed."),
    gettext_noop("This password is too common."),
    gettext_noop("This password is entirely numeric."),
    ngettext_lazy(
        "Ensure this value has at least %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at least %(limit_value)d characters (it has %(show_value)d).",
    ),
    ngettext_lazy(
        "Ensure this value has at most %(limit_value)d character (it has %(show_value)d).",
        "Ensure this value has at most %(limit_value)d characters (it has %(show_value)d).",
    ),
    ngettext_lazy(
        "This password is too short. It must contain at least %d character.",
        "This password is too short. It must contain at least %d characters.",
    ),
]
