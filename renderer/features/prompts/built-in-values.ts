import i18next from 'i18next'
import { toDay, twoDigits } from '../../lib/day.ts'

/** The user of a prompt. */
export interface PromptUser {
  readonly name: string
  readonly email: string
}

/** Returns the values of the built-in variables at a given time. */
export function builtInValues(user: PromptUser, now: Date): ReadonlyMap<string, string> {
  const date = toDay(now)
  const time = `${twoDigits(now.getHours())}:${twoDigits(now.getMinutes())}:${twoDigits(now.getSeconds())}`
  return new Map([
    ['CURRENT_DATE', date],
    ['CURRENT_TIME', time],
    ['CURRENT_DATETIME', `${date} ${time}`],
    ['CURRENT_WEEKDAY', new Intl.DateTimeFormat('en', { weekday: 'long' }).format(now)],
    ['CURRENT_TIMEZONE', new Intl.DateTimeFormat().resolvedOptions().timeZone],
    ['USER_NAME', user.name],
    ['USER_EMAIL', user.email],
    ['USER_LANGUAGE', i18next.language],
  ])
}
