"""Targets: what a server calls for its players, and what it never does."""

from contextlib import nullcontext

import pytest

from parlour_server.directory.webhook_targets import BadTarget, CallRules, Target, is_public, named_host, target

PUBLIC = [
    *("1.1.1.1", "8.8.8.8", "159.203.148.75", "2606:4700::1111", "2a01:4f8::1", "::ffff:1.1.1.1", "64:ff9b::808:808")
]
NOT_PUBLIC = [
    *("127.0.0.1", "127.8.8.8", "0.0.0.0", "0.1.2.3", "::1", "::"),
    *("10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "192.0.0.1", "198.18.0.1"),
    *("169.254.169.254", "fe80::1", "fe80::1%eth0", "fd00::1", "fc00::1", "fec0::1"),
    *("224.0.0.1", "239.1.1.1", "ff02::1", "ff0e::1", "255.255.255.255", "240.0.0.1"),
    *("192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "100::1", "5f00::1"),
    *("::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "::127.0.0.1"),  # IPv4 in IPv6
    *("2002:7f00:1::", "2002:a00:1::", "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::1", "2001:0:7f00:1::1"),
    *("", "localhost", "example.org", "127.1", "2130706433", "0x7f000001"),
]


@pytest.mark.parametrize("address", [*PUBLIC, *NOT_PUBLIC])
def test_public_addresses_are_called_and_no_others(address: str) -> None:
    assert is_public(address) is (address in PUBLIC)


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://ntfy.sh/topic", Target(True, "ntfy.sh", 443, "/topic")),
        ("http://Example.ORG", Target(False, "example.org", 80, "/")),
        ("https://discord.com/api/1/x?wait=true", Target(True, "discord.com", 443, "/api/1/x?wait=true")),
        ("http://[2606:4700::1111]:8080/a%20b", Target(False, "2606:4700::1111", 8080, "/a%20b")),
        ("http://h/?q#part", Target(False, "h", 80, "/?q")),
    ],
)  # fmt: skip
def test_url_has_its_parts(url: str, found: Target) -> None:
    assert target(url) == found


@pytest.mark.parametrize(
    "url",
    [
        *("", "ntfy.sh/topic", "ftp://ntfy.sh/x", "file:///etc/passwd", "gopher://ntfy.sh/", "unix:/run/docker"),
        *("https:///x", "https://", "http://user:pass@ntfy.sh/x", "http://ntfy.sh@10.0.0.1/", "http://ntfy.sh:port/"),
        *("http://ntfy.sh:99999/", "http://nt fy.sh/", "http://ntfy.sh/a b", "http://ntfy.sh/\r\nX: y"),
        *("http://ntfy.sh/é", "http://bücher.example/", "http://ntfy.sh\\@10.0.0.1/", "http://[fe80::1%25eth0]/x\x00"),
        *("http://[::1/", "http://a..b/<x>", "http://*/", "http://-a/"),
    ],
)  # fmt: skip
def test_anything_else_is_no_url_of_a_webhook(url: str) -> None:
    with pytest.raises(BadTarget) as caught:
        target(url)
    assert "pass@" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "allowed"),
    [
        *((f"http://{host}/x", True) for host in ("ntfy.sh", "1.1.1.1", "[2606:4700::1111]", "ntfy.sh:8080")),
        *((f"https://{host}/x", True) for host in ("ntfy.sh", "ntfy.sh:443", "ntfy.lan", "10.0.0.5:8080")),
        *((f"http://{host}/x", False) for host in ("127.0.0.1", "10.0.0.5:8081", "[::1]", "169.254.169.254")),
        *((f"http://{host}/x", False) for host in ("ntfy.sh:22", "ntfy.sh:25", "ntfy.sh:0", "[::ffff:10.0.0.5]:8080")),
    ],
)  # fmt: skip
def test_host_and_port_of_a_url_are_checked_before_it_is_stored(url: str, allowed: bool) -> None:
    rules = CallRules(frozenset({("10.0.0.5", 8080), ("ntfy.lan", 80), ("ntfy.lan", 443)}))
    with nullcontext() if allowed else pytest.raises(BadTarget):
        rules.check(target(url))


def test_named_host_may_be_private_at_its_port_alone() -> None:
    rules = CallRules(frozenset(named_host("NTFY.lan:8080")))
    assert rules.admits(target("http://ntfy.lan:8080/x"), "192.168.1.1")
    assert not rules.admits(target("http://ntfy.lan/x"), "192.168.1.1")
    assert not rules.admits(target("http://other.lan:8080/x"), "192.168.1.1")
    assert rules.admits(target("http://other.example/x"), "1.1.1.1")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ntfy.lan", {("ntfy.lan", 80), ("ntfy.lan", 443)}),
        ("10.0.0.5:8080", {("10.0.0.5", 8080)}),
        ("[fd00::1]:80", {("fd00::1", 80)}),
    ],
)
def test_operator_names_hosts(text: str, found: set[tuple[str, int]]) -> None:
    assert named_host(text) == found


@pytest.mark.parametrize(
    "text", ["", "http://ntfy.lan", "ntfy.lan/x", "a b", "ntfy.lan:x", "user@ntfy.lan", "10.0.0.0/8"]
)
def test_operator_names_nothing_but_hosts(text: str) -> None:
    with pytest.raises(BadTarget):
        named_host(text)


def test_the_path_is_in_no_text_of_a_target() -> None:
    assert "hush" not in repr(target("https://ntfy.sh/hush?hush"))
