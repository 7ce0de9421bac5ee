import type { Profile } from '#contract/users.ts'

/** The value in a template for a field that is not filled in. */
const UNKNOWN = 'Unknown'
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/

/** Returns full years since a date of birth; null for an invalid or future date. */
function ageAt(now: Date, born: string): number | null {
  const [, year, month, day] = DATE.exec(born) ?? []
  if (year === undefined) return null
  const hadBirthday =
    now.getMonth() + 1 > Number(month) ||
    (now.getMonth() + 1 === Number(month) && now.getDate() >= Number(day))
  const age = now.getFullYear() - Number(year) - (hadBirthday ? 0 : 1)
  return age >= 0 ? age : null
}

/** Returns a profile by the names used in prompt templates. */
export function toPromptNames(
  profile: Profile,
  info: Readonly<Record<string, unknown>> | null,
  now: Date,
): Map<string, string> {
  const born = profile.date_of_birth ?? ''
  const place = info?.['location']
  return new Map([
    ['USER_BIO', profile.bio || UNKNOWN],
    ['USER_GENDER', profile.gender || UNKNOWN],
    ['USER_BIRTH_DATE', born || UNKNOWN],
    ['USER_AGE', String(ageAt(now, born) ?? UNKNOWN)],
    ['USER_LOCATION', typeof place === 'string' && place !== '' ? place : UNKNOWN],
  ])
}
