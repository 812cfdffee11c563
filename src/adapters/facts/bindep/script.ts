/** Evaluates bindep files by bindep's own rules, for platforms that need not be this one. Input: JSON, a list of `{text, platform,
 * profiles}`. Output: one line for each, `{packages}` or `{line, text}` for the first line that bindep does not take. */
export const ASK_BINDEP = String.raw`
import json, sys, types
from bindep import depends

depends.platform = types.SimpleNamespace(system=lambda: "Linux")

# Parsley takes a second to make a parser of the same grammar.
parsers, make = {}, depends.makeGrammar
depends.makeGrammar = lambda text, names: parsers.get(text) or parsers.setdefault(text, make(text, names))
read = {}

def rules_of(text):
    if text not in read:
        read[text] = depends.Depends(text)
    return read[text]

def packages(say):
    told = say["platform"]
    depends.distro = types.SimpleNamespace(
        id=lambda: told["id"], version=lambda: told["version"], codename=lambda: told["codename"],
        name=lambda: told["id"], like=lambda: "",
    )
    rules = rules_of(say["text"])
    active = rules.active_rules(rules.platform_profiles() + say["profiles"])
    return {"packages": sorted({rule[0] for rule in active})}

def broken(text):
    for number, line in enumerate(text.split("\n"), 1):
        try:
            depends.Depends(line)
        except depends.DependsException:
            return {"line": number, "text": line[:200]}
    return {"line": 1, "text": text.split("\n")[0][:200]}

def answer(say):
    try:
        return packages(say)
    except depends.DependsException:
        return broken(say["text"])

for say in json.load(sys.stdin):
    print("slipway:" + json.dumps(answer(say)))
`;
