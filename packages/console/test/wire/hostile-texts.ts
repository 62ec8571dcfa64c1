/** Texts that a shell, a program or a terminal would take for something else. */
export const HOSTILE_TEXTS: readonly string[] = [
  `it's "quoted" \`id\` $(id) \${HOME} $HOME \\ \\\\ \\' !! !$ ~ * ? [a] {a,b} # ; & | > < \t end`,
  '-',
  '--help',
  '@/etc/passwd',
  'two\nlines\r\nand a third\n',
  "'; exit 1; '",
  '\u001b]0;owned\u0007 \u001b[201~ \u009b2J \u007f',
  'right \u202e to left \u2028 \u2066x\u2069',
  '$'.concat('{`$', '{process.exit(1)}`} */ </script> // __proto__'),
  '日本語 🎉 \u{1F469}\u200d\u{1F4BB}',
  'END\nEND_\n',
  '%s %d %n \\n \\u0041 \\x41',
];
