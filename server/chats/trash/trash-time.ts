import { nowSeconds } from '../../lib/ids.ts'

/** Days chats and folders stay in the trash. */
const TRASH_DAYS = 30
const SECONDS_PER_DAY = 86_400

/** Whatever went to the trash before this time is gone. */
export const oldestInTrash = (): number => nowSeconds() - TRASH_DAYS * SECONDS_PER_DAY
