"""The manual page and the shell completions, all made from what `leanbridge help --json` prints."""

import json
import re
import subprocess
from dataclasses import dataclass, field

PROGRAM = "leanbridge"
# Commands whose arguments are Lean files, or folders of them.
OF_LEAN_FILES = ("fill", "goal", "imports", "try", "view")
# The placeholder of what git names: branches, tags and HEAD.
REVISION = "REVISION"
REFS = "git for-each-ref --format='%(refname:short)' 2>/dev/null"


@dataclass
class Option:
    names: list[str]  # with their dashes
    value: str  # its placeholder, such as "FILE"; empty: a flag
    help: str
    group: str = ""
    kind: str = "flag"  # or choice, number, folder, file, revision, text
    choices: list[str] = field(default_factory=list)


@dataclass
class Tool:
    name: str
    summary: str
    arguments: list[dict]  # {"name", "choices"}


@dataclass
class Command:
    words: tuple[str, ...]  # without the program
    summary: str = ""
    usage: str = ""
    positionals: list[Option] = field(default_factory=list)
    options: list[Option] = field(default_factory=list)
    subcommands: list["Command"] = field(default_factory=list)
    examples: list[tuple[str, str]] = field(default_factory=list)  # the command, and what it does
    notes: list[str] = field(default_factory=list)
    tools: list[Tool] = field(default_factory=list)  # only of the program itself

    @property
    def groups(self) -> list[tuple[str, list[Option]]]:
        titles = list(dict.fromkeys(option.group for option in self.options))
        return [(title, [option for option in self.options if option.group == title]) for title in titles]

    def all(self) -> list["Command"]:
        """Itself and everything below, in the order of the help."""
        return [self] + [each for command in self.subcommands for each in command.all()]


class HelpError(Exception):
    """The program prints no help that this file knows."""


def option_of(each: dict) -> Option:
    kind = "revision" if each["value"] == REVISION else each["kind"]
    return Option(each["names"], each["value"], each["help"], each["group"], kind, each["choices"])


def command_of(tree: dict) -> Command:
    return Command(
        words=tuple(tree["words"][1:]),
        summary=tree["summary"],
        usage=tree["usage"],
        positionals=[Option([each["name"]], each["name"], each["help"]) for each in tree["positionals"]],
        options=[option_of(each) for each in tree["options"]],
        subcommands=[command_of(each) for each in tree["commands"]],
        examples=[tuple(each) for each in tree["examples"]],
        notes=tree["notes"],
        tools=[Tool(each["name"], each["summary"], each["arguments"]) for each in tree.get("tools", [])],
    )


def read_commands(run: list[str]) -> Command:
    """Asks the program. `run` is how it is started."""
    done = subprocess.run([*run, "help", "--json"], stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
    try:
        # As the packages have them.
        return command_of(json.loads(re.sub(r"\bdocs/([a-z/-]+\.md)", r"share/doc/leanbridge/docs/\1", done.stdout)))
    except (ValueError, KeyError, TypeError) as problem:
        raise HelpError(f"no JSON in what {PROGRAM} help --json prints: {problem!r}") from None


# --- the manual page

# What is there besides the variables that options name.
VARIABLES = (
    ("NO_COLOR", "Set to anything: no colours on a terminal."),
    ("LEANBRIDGE_PASS_ENV", "Comma-separated secret variables to pass to Lean; others that look like secrets are not."),
    ("LEANBRIDGE_DUMPABLE", "Set to anything: let other programs of the same user inspect this one."),
    ("XDG_CONFIG_HOME, XDG_CACHE_HOME, XDG_STATE_HOME, XDG_RUNTIME_DIR", "Where the files below are, instead of in the home folder."),
)
FILES = (
    ("~/.config/leanbridge/config.toml", "Settings of the search, and other MCP servers."),
    ("~/.cache/leanbridge", "The local index, and cached answers of search services."),
    ("~/.local/state/leanbridge", "Logs of shared servers."),
    ("$XDG_RUNTIME_DIR/leanbridge", "Sockets of shared servers."),
    ("share/doc/leanbridge", "Beside the program's folder: README.md and the documents in docs."),
)
EXIT_STATUS = (
    ("0", "Success; for a command that judges: all is well."),
    ("1", "Failure; for a command that judges: something is not well."),
    ("2", "Wrong usage."),
    ("3", "check, certify, diff: not everything could be judged."),
    ("130", "Interrupted."),
)


def roff(text: str) -> str:
    # Names are copied from the page: these are to stay the ASCII characters that they are.
    for plain, escaped in (("\\", "\\e"), ("-", "\\-"), ("`", "\\(ga"), ("'", "\\(aq"), ("^", "\\(ha"), ("~", "\\(ti")):
        text = text.replace(plain, escaped)
    return "\\&" + text if text.startswith(".") else text


def entry(head: str, text: str) -> list[str]:
    return [".TP", head, roff(text)]


def bold(text: str) -> str:
    return f"\\fB{roff(text)}\\fR"


def roff_option(option: Option) -> list[str]:
    value = f" \\fI{roff(option.value)}\\fR" if option.value else ""
    return entry(", ".join(map(bold, option.names)) + value, option.help)


def roff_examples(command: Command) -> list[str]:
    lines = []
    for example, meaning in command.examples:
        lines += [".TP", bold(example), roff(meaning)]
    return lines


def roff_command(command: Command) -> list[str]:
    lines = [f".SS {roff(' '.join((PROGRAM, *command.words)))}", roff(command.summary + "."), ".PP", bold(command.usage)]
    for positional in command.positionals:
        lines += entry(f"\\fI{roff(positional.names[0])}\\fR", positional.help)
    for option in command.options:
        if "--help" not in option.names:
            lines += roff_option(option)
    return lines + roff_examples(command) + [line for note in command.notes for line in (".PP", roff(note))]


def environment(top: Command) -> list[tuple[str, str]]:
    """Each variable that stands for an option, with that option."""
    found = {}
    for option in top.options:
        for name in re.findall(r"\b[A-Z]+_[A-Z_]*[A-Z]\b", option.help):
            if not name.startswith("XDG_"):
                found.setdefault(name, f"Stands for {option.names[-1]}.")
    return [*sorted(found.items()), *VARIABLES]


def manual_page(top: Command, version: str, date: str, home: str = "") -> str:
    lines = [
        f'.TH LEANBRIDGE 1 "{date}" "{PROGRAM} {version}" "User Commands"',
        ".SH NAME",
        f"{PROGRAM} \\- a Lean 4 proof session for AI agents, over MCP",
        ".SH SYNOPSIS",
        bold(top.usage),
        ".SH DESCRIPTION",
        roff(top.summary + "."),
        "Without a command it serves the host that starts it, on standard input and output;",
        "alone on a terminal it says what to type.",
        ".SH COMMANDS",
    ]
    for command in top.all()[1:]:
        # A command that only has others below it has nothing of its own to say.
        if not command.subcommands:
            lines += roff_command(command)
    for title, options in top.groups:
        lines.append(f".SH {roff(title.upper())}" if title == "Options" else f".SS {roff(title)}")
        for option in options:
            lines += roff_option(option)
    lines += [line for note in top.notes for line in (".PP", roff(note))]
    lines += [".SH ENVIRONMENT", *(line for name, text in environment(top) for line in entry(bold(name), text))]
    lines += [".SH FILES", *(line for name, text in FILES for line in entry(f"\\fI{roff(name)}\\fR", text))]
    lines += [".SH EXIT STATUS", *(line for code, text in EXIT_STATUS for line in entry(bold(code), text))]
    lines += [".SH EXAMPLES", *roff_examples(top)]
    lines += [".SH SEE ALSO", "The documents in", f"\\fI{roff('share/doc/leanbridge/docs')}\\fR."]
    if home:
        lines += [".PP", roff(home)]
    return "\n".join(lines) + "\n"


# --- completions. All three find the command by walking over the words before the cursor. The program's own options are accepted after a
# command, too; of two with one name the command's own comes first.


def shell_quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def fish_quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def steps(top: Command) -> list[str]:
    """Of each command, the one above it and its own word, with a slash between them: "mcp auth/login"."""
    return [f"{' '.join(command.words[:-1])}/{command.words[-1]}" for command in top.all()[1:]]


def names_of(options: list[Option]) -> str:
    return " ".join(name for option in options for name in option.names)


def brief(help: str) -> str:
    return help.split(" (default")[0]


def of_revisions(top: Command) -> str:
    """The commands whose arguments are revisions, with a space around each."""
    return "".join(f" {' '.join(command.words)} " for command in top.all() if any(each.value == REVISION for each in command.positionals))


def value_cases(top: Command, between: str, choice: str, folder: str, file: str, revision: str) -> list[str]:
    """Cases of "COMMAND/OPTION" with what completes the option's value. Those of the program are for every command, and so come last."""
    cases = []
    for command in [*top.all()[1:], top]:
        start = "*" if command is top else shell_quoted(" ".join(command.words))
        for option in command.options:
            patterns = between.join(f"{start}/{name}" for name in option.names)
            if option.kind == "choice":
                cases.append(f"    {patterns}) {choice % ' '.join(option.choices)}; return ;;")
        for kind, action in (("number", ":"), ("text", ":"), ("folder", folder), ("file", file), ("revision", revision)):
            names = [f"{start}/{name}" for option in command.options if option.kind == kind for name in option.names]
            if names:
                cases.append(f"    {between.join(names)}) {action}; return ;;")
    return cases


def argument_words(tool: Tool) -> list[str]:
    """NAME= for each argument, and NAME=VALUE for each value of one that has choices."""
    words = []
    for argument in tool.arguments:
        words += [f"{argument['name']}={choice}" for choice in argument["choices"]] or [f"{argument['name']}="]
    return words


def tool_cases(top: Command) -> list[str]:
    return [f"    {tool.name}) arguments={shell_quoted(' '.join(argument_words(tool)))} ;;" for tool in top.tools]


def tool_names(top: Command) -> str:
    return " ".join(tool.name for tool in top.tools)


def bash_completion(top: Command) -> str:
    return "\n".join(
        [
            f"# bash completion of {PROGRAM}, made from its --help",
            # Not by compgen -W, which would run what a name of a branch spells.
            f"_{PROGRAM}_revisions() {{",
            "  local name",
            "  while IFS= read -r name; do",
            """    [[ $name != "$1"* ]] || COMPREPLY+=("$(printf %q "$name")")""",
            f"  done < <(echo HEAD; {REFS})",
            "}",
            f"_{PROGRAM}() {{",
            "  local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command= options= commands= i",
            "  for ((i = 1; i < COMP_CWORD; i++)); do",
            '    case "$command/${COMP_WORDS[i]}" in',
            f"      {' | '.join(map(shell_quoted, steps(top)))}) command=${{command:+$command }}${{COMP_WORDS[i]}} ;;",
            "    esac",
            "  done",
            '  case "$command/$previous" in',
            *value_cases(
                top,
                " | ",
                'COMPREPLY=($(compgen -W "%s" -- "$word"))',
                'compopt -o filenames; COMPREPLY=($(compgen -d -- "$word"))',
                'compopt -o filenames; COMPREPLY=($(compgen -f -- "$word"))',
                f'_{PROGRAM}_revisions "$word"',
            ),
            "  esac",
            '  case "$command" in',
            *[
                f"    {shell_quoted(' '.join(command.words))}) options={shell_quoted(names_of(command.options))} "
                f"commands={shell_quoted(' '.join(each.words[-1] for each in command.subcommands))} ;;"
                for command in top.all()
            ],
            "  esac",
            "  local arguments= tool=${COMP_WORDS[2]-}",
            '  case "$tool" in',
            *tool_cases(top),
            "  esac",
            "  if [[ $word == -* ]]; then",
            f'    COMPREPLY=($(compgen -W "$options "{shell_quoted(names_of(top.options))} -- "$word"))',
            "  elif [[ $command == call && $COMP_CWORD == 2 ]]; then",
            f'    COMPREPLY=($(compgen -W {shell_quoted(tool_names(top))} -- "$word"))',
            "  elif [[ $command == help ]]; then",
            f"    COMPREPLY=($(compgen -W {shell_quoted(' '.join([*(each.words[-1] for each in top.subcommands), tool_names(top)]))} -- \"$word\"))",
            "  elif [[ $command == call && -n $arguments ]]; then",
            "    compopt -o nospace",
            '    COMPREPLY=($(compgen -W "$arguments" -- "$word") $(compgen -f -- "$word"))',
            "  elif [[ -n $commands ]]; then",
            '    COMPREPLY=($(compgen -W "$commands" -- "$word"))',
            f"  elif [[ ' {' '.join(OF_LEAN_FILES)} ' == *\" $command \"* ]]; then",
            "    compopt -o filenames",
            """    COMPREPLY=($(compgen -f -X '!*.lean' -- "$word") $(compgen -d -X '.[!./]*' -- "$word"))""",
            f"""  elif [[ -n $command && '{of_revisions(top)}' == *" $command "* ]]; then""",
            f'    _{PROGRAM}_revisions "$word"',
            "  else",
            "    compopt -o filenames",
            '    COMPREPLY=($(compgen -f -- "$word"))',
            "  fi",
            "}",
            f"complete -F _{PROGRAM} {PROGRAM}",
            "",
        ]
    )


def zsh_options(options: list[Option]) -> str:
    return " ".join(shell_quoted(f"{name}:{brief(option.help)}") for option in options for name in option.names)


ZSH_REVISIONS = f'compadd -- HEAD ${{(f)"$({REFS})"}}'


def zsh_completion(top: Command) -> str:
    return "\n".join(
        [
            f"#compdef {PROGRAM}",
            f"# zsh completion of {PROGRAM}, made from its --help",
            f"_{PROGRAM}() {{",
            "  local command= i",
            "  local -a options commands",
            "  for ((i = 2; i < CURRENT; i++)); do",
            '    case "$command/$words[i]" in',
            f"      {'|'.join(map(shell_quoted, steps(top)))}) command=${{command:+$command }}$words[i] ;;",
            "    esac",
            "  done",
            '  case "$command/$words[CURRENT-1]" in',
            *value_cases(top, "|", "compadd -- %s", "_files -/", "_files", ZSH_REVISIONS),
            "  esac",
            '  case "$command" in',
            *[
                f"    {shell_quoted(' '.join(command.words))}) options=({zsh_options(command.options) if command is not top else ''}) "
                f"commands=({' '.join(shell_quoted(f'{each.words[-1]}:{each.summary}') for each in command.subcommands)}) ;;"
                for command in top.all()
            ],
            "  esac",
            f"  options+=({zsh_options(top.options)})",
            "  local arguments= tool=${words[3]-}",
            '  case "$tool" in',
            *tool_cases(top),
            "  esac",
            "  if [[ $words[CURRENT] == -* ]]; then",
            "    _describe -o option options",
            "  elif [[ $command == call && $CURRENT == 3 ]]; then",
            f"    compadd -- {tool_names(top)}",
            "  elif [[ $command == help ]]; then",
            f"    compadd -- {' '.join(each.words[-1] for each in top.subcommands)} {tool_names(top)}",
            "  elif [[ $command == call && -n $arguments ]]; then",
            "    compadd -S '' -- ${=arguments}",
            "    _files",
            "  elif (( $#commands )); then",
            "    _describe command commands",
            f"  elif [[ ' {' '.join(OF_LEAN_FILES)} ' == *\" $command \"* ]]; then",
            "    _files -g '*.lean'",
            f"""  elif [[ -n $command && '{of_revisions(top)}' == *" $command "* ]]; then""",
            f"    {ZSH_REVISIONS}",
            "  else",
            "    _files",
            "  fi",
            "}",
            f'_{PROGRAM} "$@"',
            "",
        ]
    )


FISH_REVISIONS = fish_quoted(f"(echo HEAD; {REFS})")


def fish_completion(top: Command) -> str:
    lines = [
        f"# fish completion of {PROGRAM}, made from its --help",
        f"function __{PROGRAM}_at --description 'Is this the command before the cursor?'",
        "    set -l command",
        "    for word in (commandline -opc)[2..-1]",
        '        switch "$command/$word"',
        f"            case {' '.join(map(shell_quoted, steps(top)))}",
        '                set command (string trim -- "$command $word")',
        "        end",
        "    end",
        '    test "$command" = "$argv[1]"',
        "end",
        "",
    ]
    for command in top.all():
        words = " ".join(command.words)
        start = f"complete -c {PROGRAM}"
        at = f"{start} -n '__{PROGRAM}_at \"{words}\"'"
        if command.subcommands:
            lines.append(f"{at} -f")
        if words in OF_LEAN_FILES:
            paths = r"(__fish_complete_path (commandline -ct) | string match -r '.*(?:/|\.lean)(?:\t.*)?$')"
            lines.append(f"{at} -f -a {fish_quoted(paths)}")
        if f" {words} " in of_revisions(top):
            lines.append(f"{at} -f -a {FISH_REVISIONS}")
        for each in command.subcommands:
            lines.append(f"{at} -a {each.words[-1]} -d {fish_quoted(each.summary)}")
        for option in command.options:
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
            value = {
                "flag": "",
                "choice": f" -x -a {shell_quoted(' '.join(option.choices))}",
                "number": " -x",
                "text": " -x",
                "folder": " -x -a '(__fish_complete_directories)'",
                "file": " -r -F",
                "revision": f" -x -a {FISH_REVISIONS}",
            }[option.kind]
            lines.append(f"{start if command is top else at} {names}{value} -d {fish_quoted(brief(option.help))}")
    for tool in top.tools:
        for command in ("call", "help"):
            lines.append(f"complete -c {PROGRAM} -n '__{PROGRAM}_at \"{command}\"; and test (count (commandline -opc)) -eq 2' -a {tool.name} -d {fish_quoted(tool.summary)}")
        lines.append(f"complete -c {PROGRAM} -n '__{PROGRAM}_at \"call\"; and __fish_seen_subcommand_from {tool.name}' -a {shell_quoted(' '.join(argument_words(tool)))}")
    return "\n".join(lines) + "\n"


COMPLETIONS = {"bash": bash_completion, "zsh": zsh_completion, "fish": fish_completion}
