import { expect, it } from 'vitest'
import { parseChangelog } from './read-changelog.ts'

it('reads versions, kinds of changes and the title of an item', () => {
  const text =
    '# Changelog\n\n## Unreleased\n\n- First\n\n## [1.2.0] - 2026-01-02\n\n### Added\n\n- **Notes**: can be shared\n- Plain\n\n### Fixed\n- Crash\n'
  expect(parseChangelog(text)).toEqual({
    Unreleased: { date: '', changed: [{ title: '', content: 'First' }] },
    '1.2.0': {
      date: '2026-01-02',
      added: [
        { title: 'Notes', content: 'can be shared' },
        { title: '', content: 'Plain' },
      ],
      fixed: [{ title: '', content: 'Crash' }],
    },
  })
})

it('text without versions says nothing', () => {
  expect(parseChangelog('- item\n### Added\n')).toEqual({})
})
