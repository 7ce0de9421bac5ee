const CYRILLIC_IN_LATIN: Record<string, string> = Object.fromEntries(
  'а:a б:b в:v г:g д:d е:e ж:zh з:z и:i к:k л:l м:m н:n о:o п:p р:r с:s т:t у:u ф:f х:kh ц:ts ч:ch ш:sh щ:shch ъ: ы:y ь: э:e ю:yu я:ya і:i ї:yi є:ye ґ:g'
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
)

const LIGATURES: Record<string, string> = {
  ß: 'ss',
  œ: 'oe',
  æ: 'ae',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
}

/** Normalises upper and lower case, accents and full-width letters: `Größe` becomes `grosse`. */
export function fold(text: string): string {
  const lower = text.normalize('NFKC').toLowerCase()
  // Decomposed kana would lose the marks that distinguish "ga" from "ka"; only Latin, Greek and
  // Cyrillic have accents to drop.
  return lower.replace(/[\u00c0-\u052f\u1e00-\u1fff]/gu, (letter) => {
    const plain = LIGATURES[letter]
    return plain ?? letter.normalize('NFD').replace(/\p{M}+/gu, '')
  })
}

/**
 * Transliterates Cyrillic letters to Latin ones, so that names in either script resemble each
 * other.
 */
export const latinise = (word: string): string =>
  word.replace(/[\u0430-\u0491]/gu, (letter) => CYRILLIC_IN_LATIN[letter] ?? letter)

interface Endings {
  readonly all: ReadonlySet<string>
  readonly longest: number
}

function toEndings(text: string): Endings {
  const endings = text.trim().split(/\s+/u)
  return { all: new Set(endings), longest: Math.max(...endings.map(({ length }) => length)) }
}

const LATIN_ENDINGS = toEndings(`
  izations ization issements issement lichkeiten lichkeit amientos amiento imientos imiento aciones ations ation acion iciones
  icion uciones ements ement ments ment mente keiten heiten keit heit ungen ung nesses ness ingly ings ing edly ies ied iert
  ieren iere ierung ando iendo ados adas ado ada idos idas ido ida aron ieron aban aba aient ait eaux iers ers ern est ens ees
  ent ons ant ont ed ly en er es em et ez os as ar ir ee te st s e n a o y x
`)

const CYRILLIC_ENDINGS = toEndings(`
  иваниями иваний ивание ивания ениями ениях ением ениям ения ение ению ении ений аниями аниях анием ания ание анию ании аний
  остями остях остью ости ость ироваться ировать ируется ируют ирует оваться овать уется уются ует уют ывается ываются ывать
  ивать ывают ывает аться яться иться еться ается яется ится ются ятся атся ать ять ить еть ыть уть ти ает яет ают яют ите йте
  ешь ишь ете ет ит ут ют ят ат ала али ало ила или ило ела ели ал ил ел ыми ими ого его ому ему ая яя ое ее ые ие ый ий ой ей
  ую юю ых их ым им ом ем ами ями ах ях ам ям ов ев иям иях ией ия ию ии а я о е ы и у ю ь й
`)

/** Removes the longest ending that leaves at least `shortest` letters. */
function withoutEnding(word: string, { all, longest }: Endings, shortest: number): string {
  for (let length = Math.min(longest, word.length - shortest); length > 0; length -= 1)
    if (all.has(word.slice(-length))) return word.slice(0, -length)
  return word
}

const LATIN_REST = toEndings('s e n i o a y er en ig t')
const CYRILLIC_REST = toEndings('нн н к')

/**
 * Returns a folded word without its inflection. The language is unknown here, so endings of all
 * languages apply, and only common ones.
 */
export function stem(word: string): string {
  if (/[\u0430-\u0491]/u.test(word))
    return withoutEnding(withoutEnding(word, CYRILLIC_ENDINGS, 3), CYRILLIC_REST, 4)
  if (!/^[a-z]{4,}$/u.test(word)) return word
  const once = withoutEnding(word, LATIN_ENDINGS, 4)
  const twice = withoutEnding(once, LATIN_REST, 4)
  return twice.replace(/([b-df-hj-np-tv-z])\1$/u, '$1')
}
