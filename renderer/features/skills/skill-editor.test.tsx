// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import '../../lib/i18n.ts'
import '../../lib/strings/skills.ts'
import { fakeGateway, refusal, type SeenCall } from '../../testing/fake-gateway.ts'
import { sampleSkill } from '../../testing/samples.ts'
import { ChangedElsewhereDialog } from '../../ui/dialogs/changed-elsewhere.tsx'
import { TooltipProvider } from '../../ui/floating/tooltip.tsx'
import { SkillEditor } from './skill-editor.tsx'
import { createSkillsStore } from './skills-store.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const SKILL = sampleSkill({ files: [{ path: 'old.md', size: 1, updated_at: 1 }] })

function open(onClose: () => void = () => undefined): void {
  const store = createSkillsStore()
  store.setState({ items: [SKILL] })
  render(
    <TooltipProvider>
      <SkillEditor
        store={store}
        skill={SKILL}
        principals={{ search: async () => [], describe: async () => new Map() }}
        mayOpenToAll={false}
        onClose={onClose}
      />
      <ChangedElsewhereDialog />
    </TooltipProvider>,
  )
}

const save = (): void => void fireEvent.click(screen.getByRole('button', { name: 'Save' }))

it('what another person stored is not replaced after a save that failed', async () => {
  const revisions: unknown[] = []
  fakeGateway({
    'POST /api/v1/skills/id/reports/update': ({ body }: SeenCall) => {
      revisions.push((body as { revision: number }).revision)
      return refusal(503, 'The gateway is busy.')
    },
    'GET /api/v1/skills/id/reports': sampleSkill({ revision: 2, content: 'By another person.' }),
  })
  open()
  save()
  await screen.findByText('The gateway is busy.')
  save()
  await waitFor(() => expect(revisions).toHaveLength(2))
  expect(revisions).toEqual([1, 1])
})

it('is saved again after a file was removed and another one refused', async () => {
  let stored = SKILL
  let writes = 0
  fakeGateway({
    'POST /api/v1/skills/id/reports/update': () =>
      (stored = { ...stored, revision: stored.revision + 1 }),
    'GET /api/v1/skills/id/reports': () => stored,
    'DELETE /api/v1/skills/id/reports/files': () => {
      if (stored.files.length === 0) return refusal(404, 'There is no such file.')
      return (stored = { ...stored, files: [], revision: stored.revision + 1 })
    },
    'POST /api/v1/skills/id/reports/files': () =>
      (writes += 1) === 1 ? refusal(503, 'The gateway is busy.') : stored,
  })
  const onClose = vi.fn()
  open(onClose)
  fireEvent.click(screen.getByRole('button', { name: 'Remove old.md' }))
  const file = new File(['x'], 'new.md')
  fireEvent.change(document.querySelector('input[type=file]')!, { target: { files: [file] } })
  await screen.findByText('new.md')
  save()
  await screen.findByText('The gateway is busy.')
  save()
  await waitFor(() => expect(onClose).toHaveBeenCalled())
})

it('asks which text stays only if another person changed what the form shows', async () => {
  let stored = sampleSkill({ ...SKILL, revision: 2, is_active: false })
  fakeGateway({
    'POST /api/v1/skills/id/reports/update': ({ body }: SeenCall) => {
      const { revision, ...change } = body as { revision: number; content: string }
      if (revision !== stored.revision)
        return refusal(409, 'Changed.', { 'X-Error-Code': 'changed_meanwhile' })
      return (stored = { ...stored, ...change, revision: revision + 1 })
    },
    'GET /api/v1/skills/id/reports': () => stored,
  })
  const onClose = vi.fn()
  open(onClose)
  fireEvent.change(screen.getByLabelText('Instructions'), { target: { value: 'Mine.' } })
  save()
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
  expect(stored).toMatchObject({ content: 'Mine.', revision: 3 })
  stored = { ...stored, content: 'By another person.', revision: 4 }
  save()
  await screen.findByText('By another person.')
  fireEvent.click(screen.getByRole('button', { name: 'Replace it with mine' }))
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(2))
  expect(stored).toMatchObject({ content: 'Mine.', revision: 5 })
})
