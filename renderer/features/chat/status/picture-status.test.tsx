// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import '../../../lib/i18n.ts'
import { answer } from '../testing-chat.ts'
import { readStatuses } from './read-statuses.ts'
import { StatusLine } from './status-line.tsx'

afterEach(cleanup)

const step = (fields: Record<string, unknown>) => ({
  action: 'image_generation',
  description: 'Making a picture',
  done: false,
  ...fields,
})

it('steps are read where they are told, and only then', () => {
  const progress = (value: unknown) =>
    readStatuses({ statusHistory: [step({ progress: value })] })[0]?.progress
  expect(progress({ done: 3, total: 20 })).toEqual({ done: 3, total: 20 })
  for (const value of [
    undefined,
    null,
    {},
    { done: 3, total: null },
    { done: '3', total: 20 },
    { done: 0, total: 0 },
  ]) {
    expect(progress(value)).toBeNull()
  }
})

it('a picture in the making has its own place, and its end or its fault a line', () => {
  const { rerender } = render(
    <StatusLine message={answer('a', { content: '', done: false, statusHistory: [step({})] })} />,
  )
  expect(screen.queryByText('Making a picture')).toBeNull()
  rerender(
    <StatusLine
      message={answer('a', {
        statusHistory: [step({}), step({ description: 'Picture made', done: true })],
      })}
    />,
  )
  expect(screen.getByText('Picture made')).toBeTruthy()
  rerender(
    <StatusLine
      message={answer('a', {
        statusHistory: [step({ description: 'The server is down.', done: true, error: true })],
      })}
    />,
  )
  expect(screen.getByText('The server is down.')).toBeTruthy()
})

it('a picture that was stopped has no line of its own, and its tool neither', () => {
  const tool = { action: 'tool_call', name: 'generate_image' }
  const { container } = render(
    <StatusLine
      message={answer('a', {
        content: '',
        statusHistory: [
          { ...tool, description: 'Using generate_image…', done: false },
          step({}),
          step({ description: 'The picture was stopped.', done: true, hidden: true }),
          { ...tool, description: 'generate_image was stopped.', done: true },
        ],
        error: { code: 'stopped', content: 'Stopped.' },
      })}
    />,
  )
  expect(container.textContent).toBe('')
})
