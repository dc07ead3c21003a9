"""Interrupts a command once it has told of the first plan."""
import signal
import subprocess
import sys

run = subprocess.Popen(
    sys.argv[1:], stderr=subprocess.PIPE, text=True,
    # What runs the tests may have it ignored.
    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
for line in run.stderr:
    print(line, end="")
    if line.lstrip().startswith("as projected"):
        run.send_signal(signal.SIGINT)
print("ends with", run.wait(timeout=60))
