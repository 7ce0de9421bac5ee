/**
 * The picture of a person who chose none, drawn alike by the gateway and the interface: initials on
 * a colour that follows from the id.
 */

/** Hues in degrees that differ at a glance; between orange and green a dark colour is only muddy. */
const HUES = [8, 28, 145, 168, 190, 212, 235, 262, 290, 325]

/** Returns the hue of a person, stable for an id. */
export function avatarHue(id: string): number {
  let hash = 0
  for (const sign of id) hash = (hash * 31 + sign.codePointAt(0)!) % 9973
  return HUES[hash % HUES.length]!
}

/** Returns the background for a hue, dark enough for white letters in every theme. */
export const avatarColour = (hue: number): string => `hsl(${hue} 40% 32%)`

/**
 * Returns the first letters of the first and the last word of a name; only letters and digits, so
 * that they can stand in markup. Empty for a name without any.
 */
export function avatarInitials(name: string): string {
  const letters = name
    .split(/\s+/)
    .map((word) => /[\p{L}\p{N}]\p{M}*/u.exec(word)?.[0] ?? '')
    .filter(Boolean)
  const first = letters[0] ?? ''
  const last = letters.length > 1 ? letters.at(-1)! : ''
  return (first + last).toLocaleUpperCase('en')
}
