"""Referrals: who signed up through the account's referral links."""

from django.utils.translation import gettext_noop

from dashboard import feature


class ReferralsConfig(feature.Feature):
    """App of the referrals."""

    name = "dashboard.referrals"
    registers = ("tasks",)
    places = (feature.Place("measure", 30, "referrals:referrals", gettext_noop("Referrals"), icon="gift"),)
