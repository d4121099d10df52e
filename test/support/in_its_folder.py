# Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How lit runs a test of this project: in the folder that the test lies in.

There %s is the test's name and %programs the way to test/programs, so that the length of the checkout's own path does not decide
where the lines of a report break. A test that changes the folder names its own file %{s:real}.
"""
import os

import lit.formats
import lit.TestRunner


class InItsFolder(lit.formats.ShTest):
    def __init__(self, programs):
        super().__init__(execute_external=False)
        self.programs = programs

    def execute(self, test, litConfig):
        folder, name = os.path.split(test.getSourcePath())
        ways = [(r"%s\b", name), (r"%programs\b", os.path.relpath(self.programs, folder))]
        return lit.TestRunner.executeShTest(test, litConfig, self.execute_external, ways, ["cd " + folder])
