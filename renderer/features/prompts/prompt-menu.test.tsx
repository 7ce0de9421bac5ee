// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useRef, useState } from 'react'
import { afterEach, expect, it, vi } from 'vitest'
import '../../lib/i18n.ts'
import '../../testing/browser-features.ts'
import { fakeGateway } from '../../testing/fake-gateway.ts'
import { samplePrompt } from '../../testing/samples.ts'
import { PromptMenu } from './prompt-menu.tsx'
import { createPromptsStore } from './prompts-store.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const store = createPromptsStore()

function Box() {
  const box = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState('')
  return (
    <>
      <textarea
        aria-label="Message"
        ref={box}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <PromptMenu
        store={store}
        user={{ name: 'Ada', email: 'ada@example.com' }}
        box={box}
        text={text}
        onChange={setText}
      />
    </>
  )
}

it('Enter right behind the last letter takes the word as it stands, and leaves nothing of it', async () => {
  const prompts = ['letter', 'lettuce'].map((command) =>
    samplePrompt({ id: command, command, name: command, content: `About ${command}.` }),
  )
  fakeGateway({ 'GET /api/v1/prompts/': () => prompts })
  for (const prompt of prompts) store.put(prompt)
  render(<Box />)
  const box = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
  box.focus()
  fireEvent.input(box, { target: { value: '/l' } })
  await screen.findByRole('listbox')
  // Typed faster than the next frame.
  fireEvent.input(box, { target: { value: '/lettuce' } })
  fireEvent.keyDown(box, { key: 'Enter' })
  expect(box.value).toBe('About lettuce.')
})
