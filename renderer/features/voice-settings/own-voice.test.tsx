// @vitest-environment jsdom
import '../../ui/voice/strings.ts'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { TooltipProvider } from '../../ui/floating/tooltip.tsx'
import { NO_VOICE } from '../../ui/voice/voice-rights.ts'
import { OwnVoice } from './own-voice.tsx'

const PERMITTED = { ...NO_VOICE, maySpeak: true, mayListen: true }

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

function show(rights = PERMITTED, hasEngines = false): void {
  render(
    <TooltipProvider>
      <OwnVoice rights={rights} hasEngines={hasEngines} />
    </TooltipProvider>,
  )
}

it('says that nothing speaks or listens, and where administrators choose what does', () => {
  show(PERMITTED, true)
  expect(screen.getByText('Nothing reads aloud yet')).toBeTruthy()
  expect(screen.getByText('Nothing listens yet')).toBeTruthy()
  expect(screen.getAllByRole('link', { name: 'Speech' }).length).toBeGreaterThan(1)
  expect(screen.queryByRole('button')).toBeNull()
  cleanup()
  show()
  expect(screen.queryByRole('link')).toBeNull()
  expect(screen.getAllByText(/An administrator can choose an engine/)).toHaveLength(2)
})

it('names what speaks and listens now, each with a trial', () => {
  vi.stubGlobal('speechSynthesis', { getVoices: () => [], addEventListener: () => undefined })
  show({ ...PERMITTED, engineSpeaks: true, engineListens: true })
  expect(screen.getAllByText('The engine of the gateway').length).toBeGreaterThan(0)
  expect(screen.getByRole('button', { name: 'Hear a sample' })).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Try dictation' })).toBeTruthy()
})

it('shows the words that the browser heard, after its question was answered', async () => {
  const started: EventTarget[] = []
  vi.stubGlobal(
    'SpeechRecognition',
    class extends EventTarget {
      start(): void {
        started.push(this)
      }
      stop(): void {
        const results = [{ isFinal: true, 0: { transcript: 'Good morning' } }]
        this.dispatchEvent(Object.assign(new Event('result'), { results }))
        this.dispatchEvent(new Event('end'))
      }
      abort(): void {
        this.dispatchEvent(new Event('end'))
      }
    },
  )
  show()
  fireEvent.click(screen.getByRole('button', { name: 'Try dictation' }))
  expect(started).toHaveLength(0)
  fireEvent.click(await screen.findByRole('button', { name: 'Use it' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Stop' }))
  expect(await screen.findByText('Heard: “Good morning”')).toBeTruthy()
  expect(started).toHaveLength(1)
})

it('says that neither is permitted, instead of nothing', () => {
  show(NO_VOICE)
  expect(screen.getByText(/neither have answers read aloud nor dictate/)).toBeTruthy()
})
