/** What a page looks like to three people: in daylight, at night, and on a phone. */
export const VIEWS = [
  { name: 'light', colorScheme: 'light', width: 1280 },
  { name: 'dark', colorScheme: 'dark', width: 1280 },
  { name: 'a phone', colorScheme: 'light', width: 360 },
] as const
