/** Evaluates bindep files by bindep's own rules, for platforms that need not be this one. Input: JSON, a list of `{text, platform,
 * profiles}`. Output: one line for each, `{packages, broken}` with the lines that bindep does not take. A text with twenty such lines is no
 * bindep file, and names no packages. */
export const ASK_BINDEP = String.raw`
import json, sys, types
from bindep import depends

MOST_BROKEN = 20
depends.platform = types.SimpleNamespace(system=lambda: "Linux")

# Parsley takes a second to make a parser of the same grammar.
parsers, make = {}, depends.makeGrammar
depends.makeGrammar = lambda text, names: parsers.get(text) or parsers.setdefault(text, make(text, names))
read = {}

def rules_of(text):
    if text not in read:
        read[text] = depends.Depends(text)
    return read[text]

def packages(say, text):
    told = say["platform"]
    depends.distro = types.SimpleNamespace(
        id=lambda: told["id"], version=lambda: told["version"], codename=lambda: told["codename"],
        name=lambda: told["id"], like=lambda: "",
    )
    rules = rules_of(text)
    active = rules.active_rules(rules.platform_profiles() + say["profiles"])
    return sorted({rule[0] for rule in active})

def split(text):
    sound, broken = [], []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            depends.Depends(line)
            sound.append(line)
        except depends.DependsException:
            broken.append({"line": number, "text": line[:200]})
            if len(broken) == MOST_BROKEN:
                return "", broken
    return "\n".join(sound), broken

def answer(say):
    say["text"] = say["text"].replace("\r\n", "\n")  # as bindep opens a file
    try:
        return {"packages": packages(say, say["text"]), "broken": []}
    except depends.DependsException:
        sound, broken = split(say["text"])
        return {"packages": packages(say, sound), "broken": broken}

for say in json.load(sys.stdin):
    print("slipway:" + json.dumps(answer(say)))
`;
