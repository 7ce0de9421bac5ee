import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ToolServer } from '#contract/tool-servers.ts'
import { useAction } from '../../api/use-action.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { TextArea } from '../../ui/fields/text-field.tsx'
import { importServers } from './servers-store.ts'

interface ImportDialogProps {
  readonly onAdd: (servers: readonly ToolServer[]) => Promise<void>
  readonly onClose: () => void
}

const EXAMPLE = `{
  "mcpServers": {
    "memory": { "command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"] }
  }
}`

/**
 * Imports the JSON with which other programs configure their MCP servers; the commands it would
 * start are shown before anything is stored.
 */
export function ImportDialog({ onAdd, onClose }: ImportDialogProps) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [found, setFound] = useState<{ connections: ToolServer[]; problems: string[] } | null>(null)
  const submission = useAction(
    async () => {
      if (!found) return setFound(await importServers(text))
      await onAdd(found.connections)
    },
    () => found && onClose(),
  )
  return (
    <FormDialog
      wide
      title={t('toolServers.import.title')}
      description={t('toolServers.import.text')}
      submission={submission}
      submitLabel={
        found
          ? t('toolServers.import.add', { count: found.connections.length })
          : t('toolServers.import.read')
      }
      isReady={!(text.trim() === '' || found?.connections.length === 0)}
      onClose={onClose}
    >
      <TextArea
        label={t('toolServers.import.label')}
        value={text}
        rows={10}
        dir="ltr"
        spellCheck={false}
        placeholder={EXAMPLE}
        className="font-mono text-code"
        onChange={(value) => {
          setText(value)
          setFound(null)
        }}
      />
      {found && (
        <ul className="flex flex-col gap-1.5 text-small">
          {found.connections.map(({ info, command, args, url }) => (
            <li key={info.id} className="rounded-medium bg-sunken px-3 py-2">
              <bdi className="font-medium">{info.name || info.id}</bdi>
              <code dir="ltr" className="block font-mono wrap-anywhere text-muted">
                {command === ''
                  ? url
                  : t('toolServers.import.starts', { command: [command, ...args].join(' ') })}
              </code>
            </li>
          ))}
          {found.problems.map((each) => (
            <li key={each} className="text-danger">
              {each}
            </li>
          ))}
        </ul>
      )}
    </FormDialog>
  )
}
