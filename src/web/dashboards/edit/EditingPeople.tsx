import { Avatar, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { EditingPerson } from '#contract/dashboards/events.ts';
import { sessionQuery } from '../../ui/server-data/session.ts';

/** The others are only counted. */
const maxAvatars = 4;

/** Who else is editing a dashboard now. */
export function EditingPeople({ people }: { readonly people: readonly EditingPerson[] }): ReactNode {
  const { data: signedIn } = useQuery(sessionQuery);
  const others = people.filter(({ userId }) => userId !== signedIn?.user.id);
  if (others.length === 0) return null;
  const hidden = others.length - maxAvatars;
  return (
    <Avatar.Group aria-label="Editing now" role="group">
      {others.slice(0, maxAvatars).map(({ userId, name }) => (
        <Tooltip key={userId} label={`${name} is editing`} events={{ hover: true, focus: true, touch: true }}>
          <Avatar
            size={30}
            radius="xl"
            color="initials"
            name={name}
            alt={`${name} is editing`}
            tabIndex={0}
            role="img"
            aria-label={`${name} is editing`}
          />
        </Tooltip>
      ))}
      {hidden > 0 && <Avatar size={30}>+{hidden}</Avatar>}
    </Avatar.Group>
  );
}
