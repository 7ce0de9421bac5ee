// @vitest-environment jsdom
import '../../testing/browser-features.ts'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import type { Model } from '#contract/models.ts'
import '../../lib/i18n.ts'
import { sampleModel } from '../../testing/samples.ts'
import { TooltipProvider } from '../../ui/floating/tooltip.tsx'
import { createModelsStore } from './models-store.ts'
import { PickerPanel, type PickerPanelProps } from './picker-panel.tsx'

afterEach(cleanup)

function show(models: readonly Model[], ways: Partial<PickerPanelProps> = {}) {
  const store = createModelsStore()
  store.setState({ models, status: 'ready' })
  const marks = { togglePin: vi.fn(), toggleDefault: vi.fn() }
  const onChoose = vi.fn()
  const draw = (parts: Partial<PickerPanelProps>) => (
    <TooltipProvider>
      <PickerPanel
        store={store}
        current={models[0]!.id}
        marks={marks}
        onChoose={onChoose}
        {...parts}
      />
    </TooltipProvider>
  )
  const { rerender } = render(draw(ways))
  return {
    marks,
    onChoose,
    rerender: (parts: Partial<PickerPanelProps>) => rerender(draw(parts)),
  }
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
    sampleModel(meta({ vision: true, code_interpreter: true }, 131_072)),
    sampleModel({ id: 'm2', name: 'lake', ...meta({ vision: true, web_search: false }, 32_000) }),
  ])
  expect(within(row('river')).getByText('runs code · 128K context')).toBeTruthy()
  expect(within(row('lake')).getByText('32K context')).toBeTruthy()
  expect(screen.queryByText(/reads images/)).toBeNull()
  expect(screen.queryByText(place)).toBeNull()
})

it('says all of it in one line, with the description at its end', () => {
  const of = (id: string, meta: Model['info']['meta']) =>
    sampleModel({ id, name: id, info: { meta } })
  show([
    of('a', { capabilities: { vision: true }, context_length: 8192, description: 'For drafts.' }),
    of('b', { capabilities: {}, context_length: 1_000_000 }),
  ])
  expect(within(row('a')).getByText('reads images · 8K context')).toBeTruthy()
  expect(row('a').textContent).toContain('8K context·For drafts.')
  expect(within(row('a')).getByText('For drafts.').tagName).toBe('BDI')
  expect(within(row('b')).getByText('1M context')).toBeTruthy()
})

it('says what the name tells of the size, and the id where nothing else is known', () => {
  const of = (id: string, name: string, meta: Model['info']['meta'] = {}) =>
    sampleModel({ id, name, info: { meta } })
  show([
    of('vendor/llama-3.3-70b-instruct', 'llama'),
    of('mixtral:8x7B', 'mixtral', { capabilities: { reasoning: true } }),
    of('gemma-3n-e4b-4bit', 'gemma'),
    of('qwen3:8b', 'qwen', { description: 'qwen3, 8.2B, Q4_K_M, 5.2 GB' }),
    of('plain', 'plain'),
  ])
  expect(within(row('llama')).getByText('70B parameters')).toBeTruthy()
  expect(within(row('mixtral')).getByText('8x7B parameters · thinks first')).toBeTruthy()
  expect(within(row('gemma')).getByText('gemma-3n-e4b-4bit')).toBeTruthy()
  expect(row('qwen').textContent).not.toContain('parameters')
  expect(within(row('plain')).getAllByText('plain')).toHaveLength(1)
})

it('does not repeat a size that all models have', () => {
  show([sampleModel({ id: 'lake-8b' }), sampleModel({ id: 'hill-8b' })])
  expect(screen.queryByText(/parameters/)).toBeNull()
})

it('offers at its foot what the user may do', () => {
  const [onCreate, onConnect] = [vi.fn(), vi.fn()]
  const { rerender } = show([sampleModel()], { onCreate, onConnect })
  fireEvent.click(screen.getByRole('button', { name: 'Create your own…' }))
  expect(onCreate).toHaveBeenCalledTimes(1)
  fireEvent.click(screen.getByRole('button', { name: 'Connect another model…' }))
  expect(onConnect).toHaveBeenCalledTimes(1)
  rerender({})
  expect(screen.queryByRole('button', { name: /Create your own|Connect another/ })).toBeNull()
})

it('names the abilities of an only model', () => {
  show([sampleModel({ info: { meta: { capabilities: { vision: true } } } })])
  expect(row('river').textContent).toContain('reads images')
})

it('does not name what all models can do because the guide, which is none, cannot', () => {
  const info = { meta: { capabilities: { vision: true } } }
  show([
    sampleModel({ id: 'guide', name: 'Guide' }),
    sampleModel({ info }),
    sampleModel({ id: 'm2', name: 'lake', info }),
  ])
  expect(screen.queryByText(/reads images/)).toBeNull()
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
