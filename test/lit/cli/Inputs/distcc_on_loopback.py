# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles main.c in FOLDER by a distcc daemon on the loopback, whose compiler is a script that has the plugin.

  python3 distcc_on_loopback.py CLANG PLUGIN FOLDER

Started by root, the daemon is another user: what it runs and writes lies where everybody can read and write it. It reports a job only
after the client has its object, so that one is waited for. A port may be taken before the daemon has it: then another."""
import glob, os, shutil, signal, socket, subprocess, sys, tempfile, time

clang, plugin, folder = sys.argv[1:]
LONGEST = 120  # seconds, on a machine with much other work


def is_reached(port):
    try:
        socket.create_connection(("127.0.0.1", port)).close()
        return True
    except OSError:
        return False


def daemon(shared, log):
    """A daemon that answers, and its port."""
    for _ in range(5):
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        server = subprocess.Popen(
            ["distccd", "--no-detach", "--daemon", "--user", "nobody", "--allow", "127.0.0.1", "--listen", "127.0.0.1", "--port", str(port),
             "--jobs", "2", "--enable-tcp-insecure", "--log-stderr"],
            stderr=log, env={**os.environ, "TMPDIR": shared + "/tmp"}, start_new_session=True)
        until = time.time() + LONGEST
        while server.poll() is None and time.time() < until:
            if is_reached(port):
                return server, port
            time.sleep(0.05)
        stop(server)
    sys.exit("no distccd answers")


def stop(server):
    try:
        os.killpg(server.pid, signal.SIGKILL)  # it has children
    except ProcessLookupError:
        pass
    server.wait()


shared = tempfile.mkdtemp(dir="/tmp")
try:
    os.chmod(shared, 0o755)
    for library in [plugin, *glob.glob(os.path.join(os.path.dirname(plugin), "libbusfare-reader.so"))]:
        shutil.copy(library, shared)
        os.chmod(os.path.join(shared, os.path.basename(library)), 0o755)
    compiler = os.path.join(shared, "cc")
    with open(compiler, "w") as script:
        script.write(f'#!/bin/sh\nexec {clang} -fplugin={shared}/{os.path.basename(plugin)} -fplugin-arg-busfare-embed "$@"\n')
    os.chmod(compiler, 0o755)
    os.mkdir(shared + "/tmp")
    os.chmod(shared + "/tmp", 0o1777)
    os.mkdir(os.path.join(folder, "state"))
    said = os.path.join(folder, "server")
    with open(said, "w") as log:
        server, port = daemon(shared, log)
        try:
            # A client that has waited three seconds for a busy server compiles by itself; DISTCC_FALLBACK=0 makes that an error.
            for _ in range(3):
                done = subprocess.run(["distcc", compiler, "-O2", "-c", "main.c", "-o", "main.o"], cwd=folder,
                                      env={**os.environ, "DISTCC_DIR": os.path.join(folder, "state"), "DISTCC_FALLBACK": "0",
                                           "DISTCC_BACKOFF_PERIOD": "0", "DISTCC_HOSTS": f"127.0.0.1:{port}"})
                if done.returncode == 0:
                    break
            until = time.time() + LONGEST
            while done.returncode == 0 and "COMPILE_OK" not in open(said).read() and time.time() < until:
                time.sleep(0.05)
        finally:
            stop(server)
finally:
    shutil.rmtree(shared)
sys.exit(done.returncode)
