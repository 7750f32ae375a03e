"""IP addresses: which are public, in every form."""

from tests.cases import cases

from inkframe.system.public_address import is_public, number_of

PUBLIC = ("8.8.8.8", "1.1.1.1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1", "2606:4700::1111",
     "2606:4700::5efe:808:808", "2606:4700::1111%eth0")  # fmt: skip
OTHER = ("0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "169.254.169.254", "168.63.129.16", "172.31.0.1", "192.0.0.192",
     "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::", "::1",
     "::8.8.8.8", "::127.0.0.1", "::ffff:127.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b:1::8.8.8.8", "100::1",
     "2001::1", "2001:db8::1", "2002:7f00:1::1", "2002:a00:1::1", "2606:4700::5efe:7f00:1", "2606:4700::200:5efe:a00:1",
     "fc00::1", "fd00:ec2::254", "fe80::1%eth0", "fec0::1", "ff02::1", "ff0e::1", "4000::1", "", "host", "127.1")  # fmt: skip


@cases(
    ("number", "expected"), [*((number, True) for number in PUBLIC), *((number, False) for number in OTHER)]
)
def test_public_addresses(number, expected):
    """Addresses of the internet are public, also embedded in another; private, local, reserved and other text are not."""
    assert is_public(number) is expected


@cases(
    ("host", "number"),
    [("127.0.0.1", "127.0.0.1"), ("0177.1", "127.0.0.1"), ("0x7f.0.0.1", "127.0.0.1"), ("2130706433", "127.0.0.1"),
     ("127.0.0.1.", "127.0.0.1"), ("[::1]", "::1"), ("0:0:0:0:0:0:0:1", "::1"), ("fe80::1%eth0", "fe80::1"),
     ("content.example.com", None), ("cafe", None), ("1.2.3.4.5", None), ("", None)],
)  # fmt: skip
def test_spellings_of_a_number(host, number):
    """A host that is an address is read as the C library does; names are not."""
    assert number_of(host) == number
