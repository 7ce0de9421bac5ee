const ACCENTS: Readonly<Record<string, string>> = Object.freeze({
  a: 'á',
  b: 'ƀ',
  c: 'ç',
  d: 'ð',
  e: 'é',
  f: 'ƒ',
  g: 'ĝ',
  h: 'ĥ',
  i: 'í',
  j: 'ĵ',
  k: 'ķ',
  l: 'ļ',
  m: 'ɱ',
  n: 'ñ',
  o: 'ó',
  p: 'þ',
  q: 'ǫ',
  r: 'ŕ',
  s: 'š',
  t: 'ţ',
  u: 'ú',
  v: 'ṽ',
  w: 'ŵ',
  x: 'ẋ',
  y: 'ý',
  z: 'ž',
  A: 'Á',
  B: 'Ɓ',
  C: 'Ç',
  D: 'Ð',
  E: 'É',
  F: 'Ƒ',
  G: 'Ĝ',
  H: 'Ĥ',
  I: 'Í',
  J: 'Ĵ',
  K: 'Ķ',
  L: 'Ļ',
  M: 'Ṁ',
  N: 'Ñ',
  O: 'Ó',
  P: 'Þ',
  Q: 'Ǫ',
  R: 'Ŕ',
  S: 'Š',
  T: 'Ţ',
  U: 'Ú',
  V: 'Ṽ',
  W: 'Ŵ',
  X: 'Ẋ',
  Y: 'Ý',
  Z: 'Ž',
})

/**
 * Accents every letter of a string and makes it a third longer; placeholders in `{{}}` and tags
 * stay as they are.
 */
function toPseudoText(text: string): string {
  const accented = text.replace(
    /(\{\{.*?\}\}|<[^>]*>)|([A-Za-z])/g,
    (all, kept: string | undefined, letter: string | undefined) =>
      kept ?? ACCENTS[letter ?? ''] ?? all,
  )
  return `${accented}${'~'.repeat(Math.ceil(text.length / 3)).replace(/~{5}/g, '~~~~ ')}`
}

/** The same for a whole tree of strings. */
export function toPseudo<Tree>(tree: Tree): Tree {
  if (typeof tree === 'string') return toPseudoText(tree) as Tree
  return Object.fromEntries(
    Object.entries(tree as Record<string, unknown>).map(([key, value]) => [key, toPseudo(value)]),
  ) as Tree
}
