// How strong an agent is, in dots.

export const LEVELS = 5;

export const dots = (level) => "●".repeat(level) + "○".repeat(LEVELS - level);
