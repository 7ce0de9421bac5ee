// @vitest-environment jsdom
import '../../testing/browser-features.ts'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import '../../lib/i18n.ts'
import { sampleModel } from '../../testing/samples.ts'
import { TooltipProvider } from '../../ui/floating/tooltip.tsx'
import { LaterPanel } from './later-panel.tsx'
import { createModelsStore } from './models-store.ts'

afterEach(cleanup)

it('letters typed before the list is there search in it', async () => {
  const store = createModelsStore()
  const models = [sampleModel(), sampleModel({ id: 'm2', name: 'lake' })]
  store.setState({ models, status: 'ready' })
  render(
    <TooltipProvider>
      <LaterPanel store={store} current={undefined} onChoose={vi.fn()} />
    </TooltipProvider>,
  )
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'lak' } })
  expect(await screen.findByRole('combobox')).toHaveProperty('value', 'lak')
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual([
    expect.stringContaining('lake'),
  ])
})
