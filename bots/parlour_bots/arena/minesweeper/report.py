"""The report of a Minesweeper contest: text for people, plain data for programs."""

import attrs

from parlour_bots.arena.engine.usage import drawn, table
from parlour_bots.arena.minesweeper.run import Contest
from parlour_bots.arena.minesweeper.summary import Difference, Summary, difference, summary
from parlour_bots.tools.reports import Report
from parlour_games.plural import counted
from parlour_protocol.messages import Plain


def of_contest(contest: Contest, game: str, again: str = "") -> Report:
    """Return the report of the boards played so far. ``again`` says how to repeat them."""
    results = contest.complete()
    played = len(results[0])
    data: Plain = {"game": game, "seed": contest.seed, "boards": len(contest.boards)}
    cut = f"interrupted after {played} of {counted(len(contest.boards), 'board')}" if contest.interrupted else ""
    if not played:
        return Report(cut, {**data, "games": 0, "interrupted": True})
    summaries = [summary(name, each) for name, each in zip(contest.names, results, strict=True)]
    differences = [difference(results[0], each) for each in results[1:]]
    lines = [_line(each) for each in summaries]
    lines += [_compared(each.bot, contest.names[0], how) for each, how in zip(summaries[1:], differences, strict=True)]
    models = [(one.bot, one.usage, one.decision) for one in summaries if one.usage]
    lines += ["", drawn(table(models))] if models else []
    others = [{**one.plain(), "difference": how.plain()} for one, how in zip(summaries[1:], differences, strict=True)]
    data |= {**summaries[0].plain(), "others": others, "interrupted": contest.interrupted}
    return Report("\n".join(filter(None, [cut, *lines, again])), data)


def _line(one: Summary) -> str:
    text = (
        f"{one.bot} won {one.wins} of {one.games}: {one.rate:.1%} (95 % interval {one.low:.1%} to {one.high:.1%}), "
        f"{one.guesses:.1f} guesses per game\n  ms per game: median {one.typical:.1f}, p95 {one.p95:.1f}, "
        f"most {one.longest:.1f}; slowest move {one.longest_move:.1f}"
    )
    if one.value:
        mean, low, high = (f"{share:.1%}" for share in attrs.astuple(one.value))
        text += f"\n  by the value of the endgame: {mean} (95 % interval {low} to {high})"
    if one.mistakes:
        text += f"\n  {counted(one.mistakes, 'mistake')}, replaced by random moves"
    if one.stuck:
        text += f"\n  {counted(one.stuck, 'board')} lost because its answers no longer opened cells"
    return text


def _compared(bot: str, first: str, how: Difference) -> str:
    rate, low, high = (f"{100 * share:+.2f}" for share in (how.rate, how.low, how.high))
    text = (
        f"{bot} against {first} on the same boards: {rate} points (95 % interval {low} to {high}); "
        f"only {bot} won {how.gained}, only {first} {how.lost}; z = {how.z:.2f}"
    )
    if how.value:
        rate, low, high = (f"{100 * share:+.2f}" for share in attrs.astuple(how.value))
        text += f"\n  by the value of the endgame: {rate} points (95 % interval {low} to {high})"
    return text
