import { Link, Upload } from 'lucide-react'
import { type ChangeEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/controls/button.tsx'
import { AddressDialog } from './address-dialog.tsx'
import type { PluginCalls } from './plugin-kinds.ts'

interface ImportButtonsProps {
  readonly calls: PluginCalls
  /** True if the user may have the gateway fetch sources. */
  readonly mayFetch: boolean
  readonly onRead: (name: string, content: string) => void
}

/** Loads a source from a file, or from the URL where it was published. */
export function ImportButtons({ calls, mayFetch, onRead }: ImportButtonsProps) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [isAsking, setAsking] = useState(false)
  const read = async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const file = event.target.files?.[0]
    event.target.value = ''
    if (file) onRead(file.name.replace(/\.py$/i, ''), await file.text())
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <p className="min-w-0 flex-1 basis-72 text-pretty text-muted">{t('plugins.editor.begin')}</p>
      <input
        ref={input}
        type="file"
        accept=".py,text/x-python"
        hidden
        data-testid="plugin-file"
        onChange={(event) => void read(event)}
      />
      <div className="flex flex-wrap gap-2">
        <Button icon={<Upload className="size-4" />} onClick={() => input.current?.click()}>
          {t('plugins.editor.fromFile')}
        </Button>
        {mayFetch && (
          <Button icon={<Link className="size-4" />} onClick={() => setAsking(true)}>
            {t('plugins.editor.fromAddress')}
          </Button>
        )}
      </div>
      {isAsking && (
        <AddressDialog
          onLoad={(url) => calls.load(url)}
          onLoaded={({ name, content }) => {
            setAsking(false)
            onRead(name, content)
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}
