"""Installs the peers, in the versions that are locked, from their registries, and builds the runner."""

import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent.parent


class Cannot(Exception):
    """Something that the race needs is not to be had."""


def run(what, command, **options):
    try:
        subprocess.run(command, check=True, stdout=sys.stderr, **options)
    except FileNotFoundError:
        raise Cannot(f"{what}: there is no program {command[0]}") from None
    except subprocess.CalledProcessError as error:
        raise Cannot(f"{what}: {' '.join(map(str, command))} ended with {error.returncode}") from None


class Installed:
    """Where everything is, and in which version."""

    def __init__(self, folder, target):
        self.folder = folder
        self.node = folder / "npm"
        self.venv = folder / "venv"
        self.rust = target / "release" / "runner"

    def command(self, language):
        return {
            "Rust": [str(self.rust)],
            "JavaScript": ["node", str(self.node / "runner.mjs")],
            "Python": [str(self.venv / "bin" / "python"), str(HERE / "python" / "runner.py")],
        }[language]

    def versions(self):
        """The version of each package, by language and name."""
        lock = (HERE / "Cargo.lock").read_text()
        rust = dict(re.findall(r'name = "([^"]+)"\nversion = "([^"]+)"', lock))
        packages = json.loads((HERE / "javascript" / "package.json").read_text())["dependencies"]
        pinned = (HERE / "python" / "requirements.txt").read_text()
        python = dict(re.findall(r"^([\w.-]+)==(\S+)$", pinned, re.M))
        return {"Rust": rust, "JavaScript": packages, "Python": python}


def install():
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR") or HERE / "target")
    installed = Installed(target / "race", target)
    installed.folder.mkdir(parents=True, exist_ok=True)
    build = ["cargo", "build", "--release", "--locked", "--bin", "runner", "--manifest-path", str(HERE / "Cargo.toml")]
    run("the peers in Rust", build)
    javascript(installed.node)
    python(installed.venv)
    return installed


def once(folder, files, make):
    """Makes a folder anew where the files that say what is in it have changed."""
    wanted = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
    stamp = folder / "made-of"
    if not (stamp.exists() and stamp.read_text() == wanted):
        make()
        stamp.write_text(wanted)


def javascript(folder):
    source = HERE / "javascript"
    folder.mkdir(exist_ok=True)
    files = [source / "package.json", source / "package-lock.json"]

    def make():
        for file in files:
            (folder / file.name).write_bytes(file.read_bytes())
        run("the peers in JavaScript", ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder)

    once(folder, files, make)
    # Where Node finds the packages.
    (folder / "runner.mjs").write_bytes((source / "runner.mjs").read_bytes())


def python(folder):
    wanted = HERE / "python" / "requirements.txt"

    def make():
        run("a virtual environment", [sys.executable, "-m", "venv", "--clear", str(folder)])
        pip = [
            str(folder / "bin" / "python"),
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            "-r",
            str(wanted),
        ]
        run("the peers in Python", pip)

    once(folder, [wanted], make)
