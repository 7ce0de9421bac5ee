import '../../../ui/voice/strings.ts'
import { createStore } from 'zustand/vanilla'
import { translate } from '../../../lib/i18n.ts'
import { announce } from '../../../ui/live-region.tsx'
import { toast } from '../../../ui/toast.tsx'
import { cutSentences } from '../../../ui/voice/cut-sentences.ts'
import { Speaker } from '../../../ui/voice/speaker.ts'
import { voiceChoice } from '../../../ui/voice/voice-choice.ts'
import type { VoiceRights } from '../../../ui/voice/voice-rights.ts'
import { chooseSpeaker } from '../../../ui/voice/voices.ts'
import { type ChatStore, isGrowing } from '../chat-store.ts'

/** The answer that is read aloud; one at a time, wherever it stands. */
export const readingStore = createStore<{
  readonly messageId: string | null
  readonly speaker: Speaker | null
}>(() => ({ messageId: null, speaker: null }))

/** Hands an answer to a speaker as it grows; answers what ends that. */
function follow(
  store: ChatStore,
  messageId: string,
  speaker: Speaker,
  splitOn: string,
): () => void {
  let done = 0
  const take = (): void => {
    const message = store.getState().messages[messageId]
    if (!message) return speaker.complete()
    const isDone = !isGrowing(message)
    const { pieces, length } = cutSentences(message.content.slice(done), isDone, splitOn)
    done += length
    speaker.say(pieces)
    if (!isDone) return
    leave()
    speaker.complete()
  }
  const leave = store.subscribe(take)
  take()
  return leave
}

/** Reads an answer with a speaker, sentence by sentence, also while it is written. */
export async function readWith(
  speaker: Speaker,
  store: ChatStore,
  messageId: string,
  splitOn: string,
): Promise<void> {
  const leave = follow(store, messageId, speaker, splitOn)
  await speaker.done
  leave()
}

/** Falls silent. */
export function stopReading(): void {
  readingStore.getState().speaker?.stop()
}

/** Reads an answer aloud; what was read before falls silent. */
export async function readAloud(
  store: ChatStore,
  messageId: string,
  { engineSpeaks, splitOn }: VoiceRights,
): Promise<void> {
  stopReading()
  const voice = chooseSpeaker(voiceChoice(), engineSpeaks)
  if (!voice) return toast({ tone: 'danger', text: translate('voice.noVoice') })
  const speaker = new Speaker(voice)
  readingStore.setState({ messageId, speaker })
  announce(translate('voice.reading'))
  await readWith(speaker, store, messageId, splitOn)
  const { problem } = speaker.store.getState()
  if (problem !== null) toast({ tone: 'danger', text: problem })
  if (readingStore.getState().speaker !== speaker) return
  readingStore.setState({ messageId: null, speaker: null })
  announce(translate('voice.readingEnded'))
}
