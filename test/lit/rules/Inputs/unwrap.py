# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Findings of a text report on one line each, for FileCheck."""
import re
import sys

sys.stdout.write(re.sub(r"\n    (?=\S)", " ", sys.stdin.read()))
