import { useStore } from 'zustand'
import { SkillsPage } from '../../features/skills/skills-page.tsx'
import { createSkillsStore } from '../../features/skills/skills-store.ts'
import { isPermitted } from '../person/permissions.ts'
import { principals } from '../person/principals.ts'
import { sessionStore } from '../stores.ts'

const skillsStore = createSkillsStore()

/** The skills of the workspace. */
export function SkillsArea() {
  const rights = {
    create: useStore(sessionStore, isPermitted('workspace.skills')),
    openToAll: useStore(sessionStore, isPermitted('sharing.public_skills')),
  }
  return <SkillsPage store={skillsStore} rights={rights} principals={principals} />
}
