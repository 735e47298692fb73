import { Avatar, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { EditingPerson } from '#contract/dashboards/events.ts';
import { t } from '#shared/language/messages.ts';
import { sessionQuery } from '../../ui/server-data/session.ts';

/** The others are only counted. */
const maxAvatars = 4;

/** Who else is editing a dashboard now, and who else has it open. */
export function EditingPeople({
  people,
  viewers = [],
}: {
  readonly people: readonly EditingPerson[];
  readonly viewers?: readonly EditingPerson[];
}): ReactNode {
  const { data: signedIn } = useQuery(sessionQuery);
  const editing = people.filter(({ userId }) => userId !== signedIn?.user.id);
  const viewing = viewers.filter(({ userId }) => people.every((person) => person.userId !== userId));
  return (
    <>
      <People
        title={t('Editing now')}
        people={editing}
        labelOf={(name) => t('{name} is editing', { name })}
        color="initials"
      />
      <People
        title={t('Viewing now')}
        people={viewing}
        labelOf={(name) => t('{name} has this dashboard open', { name })}
        color="gray.7"
      />
    </>
  );
}

const People = ({
  title,
  people,
  labelOf,
  color,
}: {
  readonly title: string;
  readonly people: readonly EditingPerson[];
  readonly labelOf: (name: string) => string;
  readonly color: 'initials' | 'gray.7';
}): ReactNode =>
  people.length > 0 && (
    <Avatar.Group aria-label={title} role="group">
      {people.slice(0, maxAvatars).map(({ userId, name }) => (
        <Tooltip key={userId} label={labelOf(name)} events={{ hover: true, focus: true, touch: true }}>
          <Avatar
            size={30}
            radius="xl"
            color={color}
            {...(color !== 'initials' && { variant: 'filled' })}
            name={name}
            alt={labelOf(name)}
            tabIndex={0}
            role="img"
            aria-label={labelOf(name)}
          />
        </Tooltip>
      ))}
      {people.length > maxAvatars && <Avatar size={30}>+{people.length - maxAvatars}</Avatar>}
    </Avatar.Group>
  );
