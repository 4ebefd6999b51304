"""Holds a running server to the API that it describes: `hold_to_openapi.py MNEMON SCHEMATHESIS`.

schemathesis makes requests from /api/v1/openapi.json, valid and invalid ones, and checks every answer: its status, its content
type and its shape. The server runs with the token, so that writes are made, too, to a memory of its own.
"""

import os
import re
import subprocess
import sys
import tempfile

MNEMON, SCHEMATHESIS = map(os.path.abspath, sys.argv[1:3])
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


def fill(memory):
    """Something to find: a game with evaluations, a note, a search."""
    run = lambda *words: subprocess.run([MNEMON, *words, "--memory", memory], check=True, stdout=subprocess.DEVNULL)
    run("memory", "note", "startpos", "best by test", "--by", "Ada")
    run("memory", "put", "startpos", "--move", "e4", "--score", "0.3")
    run("analyze", "startpos", "--depth", "6")


def main():
    with tempfile.TemporaryDirectory() as folder:
        memory = os.path.join(folder, "m.mnemon")
        fill(memory)
        server = subprocess.Popen(
            [MNEMON, "serve", "--listen", "127.0.0.1:0", "--memory", memory], stdout=subprocess.PIPE, text=True
        )
        try:
            url, token = re.search(r" at (http://\S+)/#token=(\w+)", server.stdout.readline()).groups()
            command = [SCHEMATHESIS, "run", f"{url}/api/v1/openapi.json", f"--url={url}/api/v1", f"--checks={CHECKS}"]
            command += ["--phases=examples,coverage,fuzzing", "--max-examples=15", "--request-timeout=30", "--seed=1"]
            command += ["-H", f"Authorization: Bearer {token}", "-H", f"Origin: {url}", "--suppress-health-check=all"]
            # Events end with their search, and columns are solved for as long as it takes.
            command += ["--exclude-path-regex=events|connect4"]
            # It leaves files where it runs.
            done = subprocess.run(command, timeout=300, cwd=folder)
            alive = server.poll() is None
        finally:
            server.terminate()
            server.wait()
        print("the server lives" if alive else "the server has died")
        sys.exit(done.returncode if alive else 1)


main()
