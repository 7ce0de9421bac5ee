import { useRef, useState } from 'react'
import { translate } from '../../../lib/i18n.ts'
import { announce } from '../../../ui/layout/live-region.tsx'
import { useChatView } from '../chat-context.ts'
import { chatDeps } from '../chat-registry.ts'
import { type ChatMessage, isTemporaryId } from '../chat-store.ts'
import { rateAnswer, type Rating, ratingOf, unrateAnswer, type Verdict } from './rate-answer.ts'
import { toastError } from '../../../ui/floating/toast.tsx'

export interface RatingControl {
  readonly isOffered: boolean
  readonly rating: Rating | null
  /** True if the panel asking for the reason is open. */
  readonly isAsking: boolean
  readonly choose: (verdict: Verdict) => void
  readonly explain: (rating: Rating) => Promise<boolean>
  readonly close: () => void
}

/**
 * Returns the rating controls: the first press rates the answer and asks for the reason, the other
 * thumb changes the rating, the same one deletes it.
 */
export function useRating(message: ChatMessage): RatingControl {
  const { chat, mayRate } = useChatView()
  const { store } = chat
  const [isAsking, setAsking] = useState(false)
  const rating = ratingOf(message)
  // Changes run sequentially: the second one needs the id under which the first was stored.
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const done = last.current.then(work, work)
    last.current = done
    return done
  }

  const choose = (verdict: Verdict): void => {
    const isTakenBack = rating?.rating === verdict
    setAsking(!isTakenBack)
    const change = (): Promise<void> =>
      isTakenBack
        ? unrateAnswer(store, chatDeps, message.id)
        : rateAnswer(store, chatDeps, message.id, { rating: verdict, reason: '', comment: '' })
    inTurn(change).then(
      () => announce(translate(isTakenBack ? 'chat.rating.takenBack' : 'chat.rating.rated')),
      (thrown: unknown) => {
        setAsking(false)
        toastError(thrown)
      },
    )
  }
  const explain = async (next: Rating): Promise<boolean> => {
    try {
      await inTurn(() => rateAnswer(store, chatDeps, message.id, next))
      announce(translate('chat.rating.thanks'))
      return true
    } catch (thrown) {
      toastError(thrown)
      return false
    }
  }
  return {
    isOffered: mayRate && !isTemporaryId(store.getState().chatId),
    rating,
    isAsking: isAsking && rating !== null,
    choose,
    explain,
    close: () => setAsking(false),
  }
}
