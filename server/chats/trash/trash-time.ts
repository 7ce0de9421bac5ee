import { TRASH_DAYS } from '#contract/chats.ts'
import { nowSeconds } from '../../lib/ids.ts'

const SECONDS_PER_DAY = 86_400

/** Whatever went to the trash before this time is gone. */
export const oldestInTrash = (): number => nowSeconds() - TRASH_DAYS * SECONDS_PER_DAY
