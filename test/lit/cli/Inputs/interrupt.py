# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Analyses the folder's units one by one and interrupts that when the fifth begins: interrupt.py BUSFARE FOLDER"""
import glob
import signal
import subprocess
import sys

busfare, folder = sys.argv[1:]
run = subprocess.Popen([busfare, "analyze", "-j", "1", *sorted(glob.glob(folder + "/*.c"))], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, text=True,
                       preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # who runs the test may ignore it
for line in run.stderr:
    if line.startswith("[5/"):
        run.send_signal(signal.SIGINT)
        break
out, err = run.communicate()
print(err)
print("exit code", run.returncode)
print(out)
