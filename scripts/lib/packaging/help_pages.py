"""The manual page and the shell completions, all made from what `leanbridge --help` prints."""

import re
import subprocess
from dataclasses import dataclass, field

PROGRAM = "leanbridge"


@dataclass
class Option:
    names: list[str]  # with their dashes
    value: str  # what --help says about it: "TEXT:DIR"; empty: a flag
    help: str

    @property
    def choices(self) -> list[str]:
        found = re.search(r"\{([^}]*)\}", self.value)
        return found.group(1).split(",") if found else []

    @property
    def kind(self) -> str:
        """flag, choice, number, folder, or file, which any other value may be."""
        if not self.value:
            return "flag"
        if self.choices:
            return "choice"
        if self.value.startswith(("INT", "UINT", "FLOAT")):
            return "number"
        return "folder" if self.value.endswith(":DIR") else "file"

    @property
    def placeholder(self) -> str:
        """What the manual page shows for the value."""
        if self.choices:
            return "|".join(self.choices)
        return re.split(r"[:= ]", self.value, maxsplit=1)[0]


@dataclass
class Command:
    words: tuple[str, ...]  # without the program
    summary: str = ""
    usage: str = ""
    positionals: list[Option] = field(default_factory=list)
    groups: list[tuple[str, list[Option]]] = field(default_factory=list)
    subcommands: list["Command"] = field(default_factory=list)
    footer: list[str] = field(default_factory=list)

    @property
    def options(self) -> list[Option]:
        return [option for _, options in self.groups for option in options]

    def all(self) -> list["Command"]:
        """Itself and everything below, in the order of --help."""
        return [self] + [each for command in self.subcommands for each in command.all()]


class HelpError(Exception):
    """The help has a form that this file does not know."""


def read_entry(line: str) -> Option:
    """An entry of a section: `  --name,--other TEXT    What it does`, or only its left half."""
    found = re.fullmatch(r"  (\S.*?)(?: {2,}(.*))?", line)
    if not found:
        raise HelpError(f"no entry of a section: {line!r}")
    names, _, value = found.group(1).partition(" ")
    value = value.replace(" REQUIRED", "").replace("REQUIRED", "")
    return Option(names.split(","), value.strip(), found.group(2) or "")


def read_help(words: tuple[str, ...], text: str) -> tuple[Command, list[str]]:
    """The command, without its subcommands, and their names."""
    command, names = Command(words), []
    before, separator, rest = text.partition("Usage: ")
    if not separator:
        raise HelpError(f"no usage in the help of {' '.join((PROGRAM, *words))}")
    command.summary = before.strip()
    lines = rest.splitlines()
    # CLI11 writes (0x) behind what may be left out.
    command.usage = re.sub(r"\(\d*x\)", "", lines.pop(0))
    entries = None
    while lines:
        line = lines.pop(0)
        if not line:
            entries = None
        elif entries is None:
            title = re.fullmatch(r"(\S.*):", line)
            if not title:
                command.footer = [line, *lines]
                break
            entries = []
            if title[1] == "Positionals":
                command.positionals = entries
            elif title[1] == "Subcommands":
                names = entries
            else:
                command.groups.append((title[1], entries))
        elif line.startswith(" " * 20):
            entries[-1].help = f"{entries[-1].help} {line.strip()}".strip()
        else:
            entries.append(read_entry(line))
    return command, [entry.names[0] for entry in names]


def read_commands(run: list[str], words: tuple[str, ...] = ()) -> Command:
    """Asks the program for its help, command by command. `run` is how it is started."""
    text = subprocess.run([*run, *words, "--help"], check=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True).stdout
    command, names = read_help(words, text)
    command.subcommands = [read_commands(run, (*words, name)) for name in names]
    return command


# --- the manual page


def roff(text: str) -> str:
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("`", "\\(ga")
    return "\\&" + text if text.startswith((".", "'")) else text


def roff_option(option: Option) -> list[str]:
    names = ", ".join(f"\\fB{roff(name)}\\fR" for name in option.names)
    value = f" \\fI{roff(option.placeholder)}\\fR" if option.value else ""
    return [".TP", names + value, roff(option.help)]


def roff_command(command: Command) -> list[str]:
    lines = [f".SS {roff(' '.join((PROGRAM, *command.words)))}", roff(command.summary), ".PP", f"\\fB{roff(command.usage)}\\fR"]
    for positional in command.positionals:
        lines += [".TP", f"\\fI{roff(positional.names[0])}\\fR", roff(positional.help)]
    for option in command.options:
        if "--help" not in option.names:
            lines += roff_option(option)
    return lines + roff_footer(command)


def roff_footer(command: Command) -> list[str]:
    lines = []
    for line in command.footer:
        # Indented lines are examples.
        lines += [".PP", ".nf", roff(line), ".fi"] if line.startswith("  ") else [".PP", roff(line)] if line else []
    return lines


def manual_page(top: Command, version: str, date: str) -> str:
    lines = [
        f'.TH LEANBRIDGE 1 "{date}" "{PROGRAM} {version}" "User Commands"',
        ".SH NAME",
        f"{PROGRAM} \\- a Lean 4 proof session for AI agents, over MCP",
        ".SH SYNOPSIS",
        f"\\fB{roff(top.usage)}\\fR",
        ".SH DESCRIPTION",
        roff(top.summary),
        "Without a command it serves its host on standard input and output.",
    ]
    for title, options in top.groups:
        lines.append(f".SH {roff(title.upper())}" if title == "Options" else f".SS {roff(title)}")
        for option in options:
            lines += roff_option(option)
    lines += roff_footer(top)
    lines.append(".SH COMMANDS")
    for command in top.all()[1:]:
        # A command that only has others below it has nothing of its own to say.
        if not command.subcommands:
            lines += roff_command(command)
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


def value_cases(top: Command, between: str, choice: str, folder: str, file: str) -> list[str]:
    """Cases of "COMMAND/OPTION" with what completes the option's value. Those of the program are for every command, and so come last."""
    cases = []
    for command in [*top.all()[1:], top]:
        start = "*" if command is top else shell_quoted(" ".join(command.words))
        for option in command.options:
            patterns = between.join(f"{start}/{name}" for name in option.names)
            if option.kind == "choice":
                cases.append(f"    {patterns}) {choice % ' '.join(option.choices)}; return ;;")
        for kind, action in (("number", ":"), ("folder", folder), ("file", file)):
            names = [f"{start}/{name}" for option in command.options if option.kind == kind for name in option.names]
            if names:
                cases.append(f"    {between.join(names)}) {action}; return ;;")
    return cases


def bash_completion(top: Command) -> str:
    return "\n".join(
        [
            f"# bash completion of {PROGRAM}, made from its --help",
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
            ),
            "  esac",
            '  case "$command" in',
            *[
                f"    {shell_quoted(' '.join(command.words))}) options={shell_quoted(names_of(command.options))} "
                f"commands={shell_quoted(' '.join(each.words[-1] for each in command.subcommands))} ;;"
                for command in top.all()
            ],
            "  esac",
            "  if [[ $word == -* ]]; then",
            f'    COMPREPLY=($(compgen -W "$options "{shell_quoted(names_of(top.options))} -- "$word"))',
            "  elif [[ -n $commands ]]; then",
            '    COMPREPLY=($(compgen -W "$commands" -- "$word"))',
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
            *value_cases(top, "|", "compadd -- %s", "_files -/", "_files"),
            "  esac",
            '  case "$command" in',
            *[
                f"    {shell_quoted(' '.join(command.words))}) options=({zsh_options(command.options) if command is not top else ''}) "
                f"commands=({' '.join(shell_quoted(f'{each.words[-1]}:{each.summary}') for each in command.subcommands)}) ;;"
                for command in top.all()
            ],
            "  esac",
            f"  options+=({zsh_options(top.options)})",
            "  if [[ $words[CURRENT] == -* ]]; then",
            "    _describe -o option options",
            "  elif (( $#commands )); then",
            "    _describe command commands",
            "  else",
            "    _files",
            "  fi",
            "}",
            f'_{PROGRAM} "$@"',
            "",
        ]
    )


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
        for each in command.subcommands:
            lines.append(f"{at} -a {each.words[-1]} -d {fish_quoted(each.summary)}")
        for option in command.options:
            names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
            value = {
                "flag": "",
                "choice": f" -x -a {shell_quoted(' '.join(option.choices))}",
                "number": " -x",
                "folder": " -x -a '(__fish_complete_directories)'",
                "file": " -r -F",
            }[option.kind]
            lines.append(f"{start if command is top else at} {names}{value} -d {fish_quoted(brief(option.help))}")
    return "\n".join(lines) + "\n"


COMPLETIONS = {"bash": bash_completion, "zsh": zsh_completion, "fish": fish_completion}
