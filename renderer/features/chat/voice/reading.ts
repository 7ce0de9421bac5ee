import '../../../ui/voice/strings.ts'
import { createStore } from 'zustand/vanilla'
import { translate } from '../../../lib/i18n.ts'
import { announce } from '../../../ui/layout/live-region.tsx'
import { toast } from '../../../ui/floating/toast.tsx'
import { cutSentences } from '../../../ui/voice/cut-sentences.ts'
import { Speaker } from '../../../ui/voice/speaker.ts'
import { voiceChoice } from '../../../ui/voice/voice-choice.ts'
import type { VoiceRights } from '../../../ui/voice/voice-rights.ts'
import { chooseSpeaker } from '../../../ui/voice/voices.ts'
import { type ChatStore, isGrowing } from '../chat-store.ts'

/** The answer being read aloud; one at a time across the window. */
export const readingStore = createStore<{
  readonly messageId: string | null
  readonly speaker: Speaker | null
}>(() => ({ messageId: null, speaker: null }))

/** Passes an answer to a speaker as it grows; returns the function that stops it. */
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

/** Reads an answer aloud with a speaker, sentence by sentence, even while it is being streamed. */
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

/** Stops reading aloud. */
export function stopReading(): void {
  readingStore.getState().speaker?.stop()
}

/** Reads an answer aloud; stops any previous reading. */
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
