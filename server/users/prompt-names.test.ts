import { expect, test } from 'vitest'
import type { Profile } from '#contract/users.ts'
import { EMPTY_PROFILE } from './profiles.ts'
import { toPromptNames } from './prompt-names.ts'

const namesOf = (
  profile: Partial<Profile>,
  info: Record<string, unknown> | null = null,
  now = '2026-06-15T12:00:00',
) => Object.fromEntries(toPromptNames({ ...EMPTY_PROFILE, ...profile }, info, new Date(now)))

test('what nobody told reads as unknown', () => {
  expect(new Set(Object.values(namesOf({})))).toEqual(new Set(['Unknown']))
})

test('what somebody told is named', () => {
  expect(
    namesOf({ bio: 'Sails', gender: 'f', date_of_birth: '2000-06-15' }, { location: 'Kiel' }),
  ).toEqual({
    USER_BIO: 'Sails',
    USER_GENDER: 'f',
    USER_BIRTH_DATE: '2000-06-15',
    USER_AGE: '26',
    USER_LOCATION: 'Kiel',
  })
})

test.each([
  ['2000-06-16', '25'],
  ['2000-07-01', '25'],
  ['2000-05-31', '26'],
  ['2027-01-01', 'Unknown'],
  ['someday', 'Unknown'],
])('somebody born on %s is %s', (date, age) => {
  expect(namesOf({ date_of_birth: date })['USER_AGE']).toBe(age)
})
