import i18next from 'i18next'

/** The user of a prompt. */
export interface PromptUser {
  readonly name: string
  readonly email: string
}

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** Returns the values of the built-in variables at a given time. */
export function builtInValues(user: PromptUser, now: Date): ReadonlyMap<string, string> {
  const date = `${now.getFullYear()}-${twoDigits(now.getMonth() + 1)}-${twoDigits(now.getDate())}`
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
