import type { Settings } from '../settings/index.ts'

/** Settings read by this module. */
export type UsersSettings = Settings<
  | 'ENABLE_PASSWORD_VALIDATION'
  | 'ENABLE_PROFILE_IMAGE_URL_FORWARDING'
  | 'PASSWORD_VALIDATION_HINT'
  | 'PASSWORD_VALIDATION_REGEX_PATTERN'
>
