// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import '../../lib/i18n.ts'
import { fakeGateway } from '../../testing/fake-gateway.ts'
import { PythonNote } from './python-note.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function show(python: Record<string, unknown>): ReturnType<typeof fakeGateway> {
  const gateway = fakeGateway({
    'GET /api/v1/plugins/state': { python, environments: [], workers: [], faults: [] },
  })
  render(<PythonNote />)
  return gateway
}

describe('what administrators are told of Python', () => {
  it('is exactly what is missing and what to do', async () => {
    show({
      status: 'missing',
      path: null,
      version: null,
      detail: 'Plugins need Python, which is not there. Install the app again.',
    })
    expect(
      await screen.findByText('Plugins need Python, which is not there. Install the app again.'),
    ).toBeTruthy()
  })

  it('is that another one stands in for that of the app', async () => {
    const detail =
      'Plugins run with /usr/bin/python3, because the Python of the app in /app/python is not complete. Install the app again.'
    show({ status: 'ready', path: '/usr/bin/python3', version: '3.12.1', detail })
    expect(await screen.findByText(detail)).toBeTruthy()
  })

  it('is that what every plugin finds is being installed, with what the installer says', async () => {
    const environment = {
      id: 'base',
      requirements: [],
      status: 'installing',
      detail: null,
      log: ['Collecting pydantic'],
    }
    const python = { status: 'ready', path: '/usr/bin/python3', version: '3.12.1', detail: null }
    fakeGateway({
      'GET /api/v1/plugins/state': { python, environments: [environment], workers: [], faults: [] },
    })
    render(<PythonNote />)
    expect(await screen.findByText('Preparing Python for plugins')).toBeTruthy()
    expect(screen.getByText('Collecting pydantic')).toBeTruthy()
  })

  it('is nothing when all is well', async () => {
    const { calls } = show({
      status: 'ready',
      path: '/app/python/bin/python3',
      version: '3.12.15',
      detail: null,
    })
    await vi.waitFor(() => expect(calls).toHaveLength(1))
    expect(document.body.textContent).toBe('')
  })
})
