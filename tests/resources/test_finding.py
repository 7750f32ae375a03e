"""What a listing says about where else records are: descriptions that are not searched, and other templates."""


def test_a_search_of_images_without_a_match_says_where_to_search(inkframe_client, capsys):
    """Only names are searched, so an empty result names the two ways to search descriptions; others print nothing."""
    client = inkframe_client
    client.images.create(name="Harbor", description="two boats", resolution="256x256")
    assert client.images.all(search="boats").empty
    said = capsys.readouterr().out
    assert "No image has 'boats' in its name" in said
    assert "ink.Explorer(client.images.all())" in said
    code = said[said.index("frame[") : said.rindex("]") + 1]
    assert eval(code, {"frame": client.images.all()})["name"].tolist() == ["Harbor"]  # noqa: S307  # our own line
    assert not client.images.all(search="Har").empty
    assert client.images.all(style="anime").empty
    assert "No image" not in capsys.readouterr().out


def test_a_list_without_a_template_says_that_it_is_a_part(inkframe_client, capsys):
    """Each such frame has the reason in its attrs, and a line says it once; not where a template was given."""
    client, reason = inkframe_client, "Freestyle documents only, since no template was given"
    client.documents.create(name="Kettle", prompt="p")
    for _ in range(2):
        assert client.documents.list().attrs["inkframe"]["reasons"] == [reason]
    assert capsys.readouterr().out.count("Freestyle documents only") == 1
    for frame in (client.documents.list(template="FAQ"), client.documents.all(), client.images.list()):
        assert reason not in frame.attrs["inkframe"]["reasons"]
