// @vitest-environment jsdom
import '../../testing/browser-features.ts'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import type { Model } from '#contract/models.ts'
import '../../lib/i18n.ts'
import { sampleModel } from '../../testing/samples.ts'
import { TooltipProvider } from '../../ui/floating/tooltip.tsx'
import { createModelsStore } from './models-store.ts'
import { PickerPanel } from './picker-panel.tsx'

afterEach(cleanup)

function show(models: readonly Model[]) {
  const store = createModelsStore()
  store.setState({ models, status: 'ready' })
  const marks = { togglePin: vi.fn(), toggleDefault: vi.fn() }
  const onChoose = vi.fn()
  render(
    <TooltipProvider>
      <PickerPanel store={store} current={models[0]!.id} marks={marks} onChoose={onChoose} />
    </TooltipProvider>,
  )
  return { marks, onChoose }
}

const row = (name: string) => screen.getByRole('option', { name: new RegExp(name) })
const place = 'on this computer'

const openRowMenu = (name: string): void => {
  const button = within(row(name)).getByTitle(`Actions for “${name}”`)
  fireEvent.pointerDown(button, { button: 0, ctrlKey: false })
  fireEvent.click(button)
}

it('names abilities, context and price where models differ in them', () => {
  const meta = (capabilities: Record<string, boolean>, tokens: number) => ({
    info: { meta: { capabilities, context_length: tokens } },
  })
  show([
    sampleModel(meta({ vision: true, code_interpreter: true }, 128_000)),
    sampleModel({ id: 'm2', name: 'lake', ...meta({ vision: true, web_search: false }, 32_000) }),
  ])
  expect(row('river').textContent).toContain('runs code128K tokens of context')
  expect(row('lake').textContent).toContain('32K tokens of context')
  expect(screen.queryByText('reads images')).toBeNull()
  expect(screen.queryByText(place)).toBeNull()
})

it('names the abilities of an only model', () => {
  show([sampleModel({ info: { meta: { capabilities: { vision: true } } } })])
  expect(row('river').textContent).toContain('reads images')
})

it('says once for a group where its models run, and in the rows where they differ', () => {
  show([
    sampleModel(),
    sampleModel({ id: 'm2', name: 'lake' }),
    sampleModel({ id: 'm3', name: 'hill', connection_name: 'Mixed' }),
    sampleModel({ id: 'm4', name: 'peak', connection_name: 'Mixed', connection_type: 'external' }),
  ])
  expect(screen.getByRole('group', { name: new RegExp(`Desk ?${place}`) })).toBeTruthy()
  expect(within(row('lake')).queryByText(place)).toBeNull()
  expect(within(row('hill')).getByText(place)).toBeTruthy()
  expect(within(row('peak')).getByText('leaves this computer')).toBeTruthy()
})

it('has a menu in each row that marks its model without choosing it', async () => {
  const { marks, onChoose } = show([sampleModel(), sampleModel({ id: 'm2', name: 'lake' })])
  openRowMenu('lake')
  fireEvent.click(screen.getByRole('menuitem', { name: 'Use for new chats' }))
  expect(marks.toggleDefault).toHaveBeenCalledExactlyOnceWith('m2')
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('combobox')))
  openRowMenu('lake')
  fireEvent.click(screen.getByRole('menuitem', { name: 'Pin' }))
  expect(marks.togglePin).toHaveBeenCalledExactlyOnceWith('m2')
  expect(onChoose).not.toHaveBeenCalled()
})

it('offers the same menu as a button of the keyboard, for the marked row', () => {
  const { marks, onChoose } = show([sampleModel(), sampleModel({ id: 'm2', name: 'lake' })])
  fireEvent.keyDown(screen.getByRole('combobox'), { key: 'ArrowDown' })
  const button = screen.getByRole('button', { name: 'Actions for “lake”' })
  fireEvent.keyDown(button, { key: 'Enter' })
  fireEvent.click(screen.getByRole('menuitem', { name: 'Pin' }))
  expect(marks.togglePin).toHaveBeenCalledExactlyOnceWith('m2')
  expect(onChoose).not.toHaveBeenCalled()
})
