export { type ScriptedCall, ScriptedModel, type ScriptedTurn } from './scripted-model.ts'
