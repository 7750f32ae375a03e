import pandas as pd
import pytest

from inkframe.analysis import coverage, library_summary
from inkframe.analysis.intervals import wilson
from inkframe.versions import text_type


@pytest.mark.integration
def test_settings_of_documents(documents):
    """Every value of every setting has its count, favorites with interval, and median length."""
    found = library_summary(documents)
    assert found["setting"].unique().tolist() == ["all", "template", "creativity", "day"]
    assert found.iloc[0]["records"] == 60
    template = found[found["setting"] == "template"]
    assert set(template["value"]) == {"FAQ", "Slogan", "Freestyle"}
    row = template[template["value"] == "FAQ"].iloc[0]
    liked = documents.loc[documents["template"] == "FAQ", "favorite"]
    assert (row["records"], row["share"], row["favorites"]) == (20, 20 / 60, liked.sum())
    low, high = wilson(liked.sum(), 20)
    assert (row["favorite_low"], row["favorite_high"]) == pytest.approx((float(low), float(high)))
    levels = found[found["setting"] == "creativity"]
    assert levels["value"].tolist() == ["Repetitive", "Deterministic", "Original", "Creative", "Imaginative"]
    lengths = documents["result"].str.split().str.len()
    assert levels["median_words"].iloc[4] == lengths[documents["creativity"] == 1].median()


@pytest.mark.integration
def test_settings_of_images(images):
    """Open settings have a name, unused values are left out, and resolutions keep their order."""
    found = library_summary(images).set_index(["setting", "value"])
    assert found.loc["style", "records"].to_dict() == {"anime": 3, "retro": 1}
    assert found.loc["filter", "records"].to_dict() == {"(none)": 3, "sepia": 1}
    assert found.loc["resolution"].index.tolist() == ["256x256", "512x512", "1024x1024"]
    assert found.loc[("all", "all"), ["favorites", "favorite_share"]].tolist() == [2, pytest.approx(2 / 3)]
    assert found.loc[("medium", "chalk"), "favorites"] is pd.NA


@pytest.mark.parametrize(
    ("last", "period", "values"),
    [("2024-01-03", "day", 3), ("2024-06-01", "month", 6), ("2029-06-01", "year", 6)],
)
def test_growth_uses_periods_by_the_span(last, period, values):
    """Days, months or years, including empty ones, add up to the library."""
    frame = pd.DataFrame({"style": ["a", "b"], "created_at": ["2024-01-01T10:00:00Z", f"{last}T09:00:00Z"]})
    growth = library_summary(frame)
    growth = growth[growth["setting"] == period]
    assert (len(growth), growth["records"].sum(), growth["records"].iloc[1:-1].sum()) == (values, 2, 0)


@pytest.mark.integration
def test_missing_columns_give_missing_values():
    """Without favorites, times or texts there are counts, and the rest is missing."""
    found = library_summary(pd.DataFrame({"style": ["retro", None]}))
    assert found["records"].tolist() == [2, 1, 1]
    assert found[["favorites", "favorite_share", "median_words"]].isna().all().all()
    assert library_summary(pd.DataFrame({"style": []}, dtype=text_type()))["records"].tolist() == [0]


@pytest.mark.integration
def test_whole_summaries(documents, images, recorded):
    """All rows, units and notes for documents, images and their coverage."""
    recorded("documents", library_summary(documents))
    recorded("images", library_summary(images, confidence=0.8))
    recorded("coverage", coverage(images))
    recorded("coverage of text", coverage(images.astype({"style": text_type()}), "resolution", "filter"))


@pytest.mark.parametrize(
    ("days", "period"), [(0, "day"), (62, "day"), (63, "month"), (1_200, "month"), (1_201, "year")]
)
def test_bounds_of_periods(documents, days, period):
    """Growth is by day up to 62 days, by month up to 1,200 days, then by year."""
    times = pd.to_datetime(
        ["2020-01-01"] * 59 + [pd.Timestamp("2020-01-01") + pd.Timedelta(days, "D")], utc=True
    )
    assert library_summary(documents.assign(created_at=times))["setting"].iloc[-1] == period
