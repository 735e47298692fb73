import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Comment } from '#contract/dashboards/comments.ts';
import { ContentAnchor } from '../content/ContentAnchor.tsx';
import { textParts } from './text-parts.ts';
import classes from './Comments.module.css';

/** The text of a comment with its links and mentions. */
export const CommentText = ({ comment }: { readonly comment: Comment }): ReactNode => (
  <Text size="sm" className={classes['text']} dir="auto">
    {textParts(
      comment.text,
      comment.mentions.map(({ name }) => name),
    ).map((part, index) => {
      // The parts of a text have no other identity.
      const key = `${index}`;
      if (part.kind === 'link')
        return (
          <ContentAnchor key={key} href={part.href}>
            {part.text}
          </ContentAnchor>
        );
      return part.kind === 'mention' ? <strong key={key}>{part.text}</strong> : part.text;
    })}
  </Text>
);
