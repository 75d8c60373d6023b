// The level of an agent, shown as dots.

export const LEVELS = 5;

export const dots = (level) => "●".repeat(level) + "○".repeat(LEVELS - level);
