// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import '../../lib/i18n.ts'
import type { Setting } from '#contract/settings.ts'
import { TooltipProvider } from '../floating/tooltip.tsx'
import { SettingRow } from './setting-row.tsx'

afterEach(cleanup)

const setting = {
  key: 'NAME',
  type: 'string',
  value: 'Garden',
  default: '',
  help: 'What it is called.',
  origin: 'default',
} as Setting

let answer: () => void

function Row() {
  const [shown, setShown] = useState(setting)
  const save = (value: unknown): Promise<void> =>
    new Promise((resolve) => {
      answer = () => {
        setShown({ ...shown, value: value as string })
        resolve()
      }
    })
  return (
    <TooltipProvider>
      <SettingRow setting={shown} onSave={save} />
    </TooltipProvider>
  )
}

function type(text: string): HTMLInputElement {
  const box = screen.getByRole<HTMLInputElement>('textbox')
  box.focus()
  fireEvent.change(box, { target: { value: text } })
  return box
}

it('a box whose text was saved keeps the focus', async () => {
  render(<Row />)
  const box = type('Orchard')
  fireEvent.submit(box.form!)
  await act(async () => answer())
  expect(document.activeElement).toBe(screen.getByRole('textbox'))
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
})

it('what is typed while a setting is being saved stays in its box', async () => {
  render(<Row />)
  fireEvent.submit(type('Orchard').form!)
  type('Orchards')
  await act(async () => answer())
  expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('Orchards')
  expect(screen.getByRole('button', { name: 'Save' })).toBeTruthy()
})

it('the box of a secret is empty again once it was saved', async () => {
  const secret = { ...setting, secret: true, value: '' } as Setting
  render(
    <TooltipProvider>
      <SettingRow setting={secret} onSave={() => Promise.resolve()} />
    </TooltipProvider>,
  )
  const box = screen.getByLabelText<HTMLInputElement>('NAME')
  fireEvent.change(box, { target: { value: 'hidden' } })
  await act(async () => fireEvent.submit(box.form!))
  expect(box.value).toBe('')
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
})

it('a named setting keeps its key behind a line of text, unless it was searched for', () => {
  const save = async (): Promise<void> => undefined
  const row = (showsKey: boolean) => (
    <TooltipProvider>
      <SettingRow setting={setting} label="Name" showsKey={showsKey} onSave={save} />
    </TooltipProvider>
  )
  const { rerender } = render(row(false))
  expect(screen.getByText('NAME').closest('details')?.open).toBe(false)
  rerender(row(true))
  expect(screen.getByText('NAME').closest('details')).toBeNull()
})

it('shows the words of a choice, not its value, also for the default', () => {
  const choice = {
    ...setting,
    key: 'RAG_EMBEDDING_ENGINE',
    value: 'llmhost',
    default: '',
    origin: 'stored',
    allowed: ['', 'llmhost', 'ollama', 'a value of a later version'],
  } as Setting
  render(
    <TooltipProvider>
      <SettingRow setting={choice} onSave={async () => undefined} />
    </TooltipProvider>,
  )
  const options = screen.getAllByRole('option').map(({ textContent }) => textContent)
  expect(options).toEqual([
    'Built-in engine',
    'Built-in models',
    'Ollama',
    'a value of a later version',
  ])
  expect(screen.getByText('Default: Built-in engine')).toBeTruthy()
})
