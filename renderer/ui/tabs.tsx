import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

interface TabsProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly tabs: readonly { readonly value: string; readonly label: string; readonly content: ReactNode }[]
}

/** A few views of one thing; arrows move between the tabs. */
export function Tabs({ label, value, onChange, tabs }: TabsProps) {
  return (
    <Radix.Root value={value} onValueChange={onChange}>
      <Radix.List aria-label={label} className="inline-flex gap-1 rounded-medium bg-hover p-1">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="h-7 rounded-small px-3 text-ui font-medium text-muted hover:text-ink data-[state=active]:bg-raised data-[state=active]:text-ink data-[state=active]:shadow-low pointer-coarse:min-h-11 forced-colors:data-[state=active]:outline"
          >
            {tab.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content key={tab.value} value={tab.value} className="pt-4 outline-none">
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
