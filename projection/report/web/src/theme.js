// Part of busfare, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Light or dark: as the system has it, until somebody chooses.

import { h } from './element.js';

export function themeSwitch() {
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches);
  const button = h('button', { type: 'button', class: 'quiet', id: 'theme', 'aria-pressed': String(isDark()) }, 'Dark');
  const show = () => {
    root.style.colorScheme = isDark() ? 'dark' : 'light';
    button.setAttribute('aria-pressed', String(isDark()));
  };
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    show();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', show);
  return button;
}
