import { TRASH_DAYS } from '#contract/chats.ts'
import { nowSeconds } from '../../lib/ids.ts'

const SECONDS_PER_DAY = 86_400

/** Returns the time before which items in the trash have expired. */
export const oldestInTrash = (): number => nowSeconds() - TRASH_DAYS * SECONDS_PER_DAY
