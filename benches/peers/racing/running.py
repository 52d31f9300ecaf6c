"""Runs one peer at one work in a process of its own, and stops it from outside where it takes too long."""

import json
import os
import queue
import subprocess
import threading
import time

# What a runner may take to start and to read its files.
START = 60


class Ended(Exception):
    """A process that says nothing any more."""


class Process:
    """A runner: lines of JSON in, lines of JSON out."""

    def __init__(self, command, takes_input=False):
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE if takes_input else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self.lines = queue.Queue()
        self.errors = []
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=lambda: self.errors.extend(self.process.stderr), daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def say(self, case):
        try:
            self.process.stdin.write(json.dumps(case) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Ended from None

    def hear(self, seconds):
        """The next line; none where it takes too long."""
        try:
            line = self.lines.get(timeout=seconds)
        except queue.Empty:
            return None
        if line is None:
            raise Ended
        return json.loads(line)

    def stop(self):
        """Ends it if it has not ended; returns its status."""
        if self.process.stdin:
            try:
                self.process.stdin.close()
            except BrokenPipeError:
                pass
        end = time.monotonic() + 10
        while time.monotonic() < end:
            pid, status = os.waitpid(self.process.pid, os.WNOHANG)
            if pid:
                break
            time.sleep(0.005)
        else:
            self.process.kill()
            _, status = os.waitpid(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        return self.process.returncode

    def kill(self):
        self.process.kill()
        return self.stop()


def timed(command, abort):
    """Runs a work: `times` in seconds, `state`, and where the runner says so `right` and the `peak` of its memory in MB.

    The state is `done`, `aborted`, `crashed` (the peer took the process with it), or `failed` (the runner is broken).
    """
    process = Process(command)
    result = {"times": [], "state": "failed"}
    try:
        if process.hear(START) is None:
            raise Ended
        result["state"] = "crashed"
        # The last line takes the runner one more reading of the document.
        while (line := process.hear(abort)) and "seconds" in line:
            result["times"].append(line["seconds"])
        result["state"] = "done" if result["times"] else "aborted"
        result.update(line or {})
        process.stop() if line else process.kill()
    except Ended:
        process.kill()
        result["error"] = "".join(process.errors)[-600:]
    return result


def shown(command, cases, patience=20):
    """What a peer shows for each case, by its id: the value in a list of one, or `None` where it shows none."""
    results = {}
    waiting = list(cases)
    while waiting:
        process = Process(command, takes_input=True)
        try:
            process.hear(START)
            while waiting:
                process.say(waiting[0])
                line = process.hear(patience)
                if line is None:
                    raise Ended
                results[line["id"]] = [line["shown"]] if "shown" in line else None
                waiting.pop(0)
            process.stop()
        except Ended:
            process.kill()
            # It does not come back from this one, or crashes.
            results[waiting.pop(0)["id"]] = None
    return results
